import { GraphQLScalarType } from 'graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { isoText } from '../base/iso-text';

const iso = GraphQLDateTimeISO.toConfig();

/** The scalar `DateTime`: a moment in ISO 8601, in UTC. A `Date` is not checked, because those of the database are valid. */
export const DateTime = new GraphQLScalarType<Date, string>({
  ...iso,
  name: 'DateTime',
  description:
    'A moment, as ISO 8601 writes it, to the millisecond. Answers are in UTC: `2007-12-03T10:15:30.000Z`. An argument needs `Z` or an offset, such as `2007-12-03T12:15:30+02:00`.',
  serialize: (value) => (value instanceof Date ? isoText(value) : iso.serialize(value)),
});
