import { GraphQLScalarType } from 'graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';

const iso = GraphQLDateTimeISO.toConfig();

/** The scalar `DateTime`: a moment in ISO 8601, in UTC. A `Date` is not checked, because those of the database are valid. */
export const DateTime = new GraphQLScalarType<Date, string>({
  ...iso,
  name: 'DateTime',
  serialize: (value) => (value instanceof Date ? value.toISOString() : iso.serialize(value)),
});
