import { GraphQLError, GraphQLScalarType } from 'graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { isoText } from '../base/iso-text';

// Without a parser of its own, a literal is parsed as a value is.
const { parseLiteral: _, ...iso } = GraphQLDateTimeISO.toConfig();

/** How many characters of a value an error repeats at most. */
const MAX_SHOWN_CHARACTERS = 100;

/** The scalar `DateTime`: a moment in ISO 8601, in UTC. A `Date` is not checked, because those of the database are valid. */
export const DateTime = new GraphQLScalarType<Date, string>({
  ...iso,
  name: 'DateTime',
  description:
    'A moment in ISO 8601, to the millisecond; in answers in UTC, such as `2007-12-03T10:15:30.000Z`. An argument needs `Z` or an offset, such as `2007-12-03T12:15:30+02:00`.',
  serialize: (value) => (value instanceof Date ? isoText(value) : iso.serialize(value)),
  parseValue(value) {
    try {
      return iso.parseValue(value);
    } catch {
      throw new GraphQLError(
        `A DateTime must be a date and time such as 2026-01-31T12:00:00Z or 2026-01-31T14:00:00+02:00: a year of four digits, seconds, and Z or an offset; but got: ${shown(value)}`,
      );
    }
  },
});

/** The beginning of a value; of a list or an object only what it is. */
function shown(value: unknown): string {
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  return JSON.stringify(typeof value === 'string' ? value.slice(0, MAX_SHOWN_CHARACTERS) : value);
}
