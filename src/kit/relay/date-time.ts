import { GraphQLScalarType } from 'graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';

/** The scalar `DateTime`: a moment, as ISO 8601 in UTC. */
export const DateTime = new GraphQLScalarType({ ...GraphQLDateTimeISO.toConfig(), name: 'DateTime' });
