import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isScalarType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
} from 'graphql';
import { VALUE_BOUNDS } from '../../src/kit/input/input-bounds';
import { createSchema } from '../../src/app';

/** A value of a type that is right in form; `there` stands at the given path of it. */
export function valueOf(type: GraphQLInputType, path: readonly string[], there: unknown): unknown {
  const nullable = getNullableType(type);
  const [key, ...rest] = path;
  if (isListType(nullable))
    return key === '0' ? [valueOf(nullable.ofType, rest, there)] : path.length === 0 ? (there ?? []) : [];
  if (isInputObjectType(nullable)) {
    const given = Object.values(nullable.getFields()).flatMap((field) =>
      field.name === key
        ? [[field.name, valueOf(field.type, rest, there)]]
        : isRequiredInputField(field)
          ? [[field.name, valueOf(field.type, [], null)]]
          : [],
    );
    return Object.fromEntries(given);
  }
  return there ?? samples[nullable.name] ?? 0;
}

const samples: Readonly<Record<string, unknown>> = {
  String: 'x',
  ID: 'x',
  Date: '2026-01-01',
  DateTime: '2026-01-01T00:00:00Z',
  RankingKind: 'TOP_ACCOUNTS',
  TweetOrder: 'NEWEST',
};

/** Each place of an argument that has bounds: the path to it, and what is one beyond it with the message. */
interface Case {
  readonly path: readonly string[];
  readonly beyond: unknown;
  readonly limit: string;
}

function casesOf(name: string, { type, extensions }: GraphQLArgument | GraphQLInputField): Case[] {
  const nullable = getNullableType(type);
  const named = getNamedType(type);
  const at = ({ path, ...more }: Case) => ({ ...more, path: [name, ...path] });
  const bounds = extensions.bounds ?? VALUE_BOUNDS;
  if (isInputObjectType(named))
    return Object.values(named.getFields())
      .flatMap((field) => casesOf(field.name, field))
      .map(at);
  const length = (bounds.maxLength ?? 0) + 1;
  const unit = bounds.maxLength === bounds.maxBytes ? 'bytes of UTF-8' : 'characters (UTF-16 code units)';
  const said = `must be at most ${length - 1} ${unit}, but got ${length}.`;
  const beyond = samples[named.name]?.toString().slice(0, 1).repeat(length);
  if (!isScalarType(named) || beyond === undefined) return [];
  if (!isListType(nullable)) return [at({ path: [], beyond, limit: said })];
  const count = (bounds.maxItems ?? 0) + 1;
  const items = `must have at most ${count - 1} items, but got ${count}.`;
  return [
    { path: ['0'], beyond, limit: said },
    // All of them too long: the count is told, they are not looked at.
    { path: [], beyond: Array.from({ length: count }, () => beyond), limit: items },
  ].map(at);
}

/** The way to a field of a type from the roots, and who may ask. */
const ways: Readonly<Record<string, (field: string) => string>> = {
  Query: (field) => `{ ${field} }`,
  Mutation: (field) => `{ ${field} }`,
  Subscription: (field) => `{ ${field} }`,
  User: (field) => `{ user(username: "ada") { ${field} } }`,
  Tweet: (field) => `{ tweet(tweetId: "1") { ${field} } }`,
  Hashtag: (field) => `{ hashtag(name: "a") { ${field} } }`,
  Article: (field) => `{ article(id: "x") { ${field} } }`,
  Notification: (field) => `{ viewer { notifications { nodes { ${field} } } } }`,
};

const operations: Readonly<Record<string, string>> = { Mutation: 'mutation', Subscription: 'subscription' };

/** A value as a query writes it. */
export function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(([key, inner]) => `${key}: ${literal(inner)}`)
      .join(', ')} }`;
  return /^(TOP_ACCOUNTS|NEWEST)$/.test(String(value)) ? String(value) : JSON.stringify(value);
}

/** A query that gives a field an argument, as a literal or variables; what else it needs is given. */
export function queryOf(
  typeName: string,
  field: GraphQLField<unknown, unknown>,
  given: string,
  name: string,
) {
  const others = field.args.filter((other) => other.name !== name && isRequiredArgument(other));
  const args = others.map((other) => `${other.name}: ${literal(valueOf(other.type, [], null))}`);
  const selected = isScalarType(getNamedType(field.type)) ? '' : ' { __typename }';
  const way = ways[typeName];
  if (!way) throw new Error(`no way to ${typeName}`);
  const source = way(`${field.name}(${[...args, `${name}: ${given}`].join(', ')})${selected}`);
  const operation = operations[typeName] ?? 'query';
  return (variables = '') => `${operation} ${variables === '' ? '' : `(${variables})`} ${source}`;
}

/** Every such place of the schema. */
const allCases = Object.values(createSchema().getTypeMap()).flatMap((type) =>
  isObjectType(type) && !type.name.startsWith('__')
    ? Object.values(type.getFields()).flatMap((field) =>
        field.args.flatMap((argument) =>
          casesOf(argument.name, argument)
            // Refused by a limit of its own, see limits.test.ts.
            .filter(({ path }) => path.join('.') !== 'ids')
            .map((one) => ({ type: type.name, field, argument, ...one })),
        ),
      )
    : [],
);

/** Those of queries and mutations. */
export const everyCase = allCases.filter(({ type }) => type !== 'Subscription');
/** Those of subscriptions. */
export const subscriptionCases = allCases.filter(({ type }) => type === 'Subscription');
