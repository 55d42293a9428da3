import { GraphQLScalarType } from 'graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { isoText } from '../base/iso-text';

const iso = GraphQLDateTimeISO.toConfig();

/** The scalar `DateTime`: a moment in ISO 8601, in UTC. A `Date` is not checked, because those of the database are valid. */
export const DateTime = new GraphQLScalarType<Date, string>({
  ...iso,
  name: 'DateTime',
  serialize: (value) => (value instanceof Date ? isoText(value) : iso.serialize(value)),
});
