import { GraphQLScalarType } from 'graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';

const iso = GraphQLDateTimeISO.toConfig();

/** The scalar `DateTime`: a moment, as ISO 8601 in UTC. What comes from the database is a valid `Date`: it is not checked. */
export const DateTime = new GraphQLScalarType<Date, string>({
  ...iso,
  name: 'DateTime',
  serialize: (value) => (value instanceof Date ? value.toISOString() : iso.serialize(value)),
});
