import fc from 'fast-check';
import {
  getNamedType,
  isCompositeType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';
import { encodeNodeId } from '../../src/kit/graphql/global-id';

/** Names that every object has. */
export const prototypeKeys = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
  'then',
];
/** Texts that somebody, somewhere, did not think of. */
export const oddText = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    ...[
      '',
      ' ',
      '\0',
      'a\0b',
      '\ud800',
      '\udfff\ud800',
      'İ',
      'ß',
      '\u202e',
      '\ufeff',
      '💥'.repeat(200),
      'ada',
      'ADA',
      '1',
      '100',
      '0',
      '-1',
    ],
    ...[
      '9223372036854775807',
      '9223372036854775808',
      '1'.repeat(400),
      'NaN',
      '1e3',
      '0x10',
      "'; DROP TABLE users; --",
      '../../etc/passwd',
      '%00',
      '{{7*7}}',
    ],
    ...['x'.repeat(500), 'x'.repeat(501), 'é'.repeat(70_000), ...prototypeKeys],
  ),
  fc.bigInt().map(String),
  fc.base64String({ maxLength: 60 }),
);
const wholeNumbers = fc.constantFrom(
  0,
  1,
  -1,
  2,
  25,
  100,
  101,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  2 ** 53,
  1e21,
  1e308,
);
/** Values that are JSON, most of them not what was asked for. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  wholeNumbers,
  fc.double(),
  fc.constantFrom(null, true, false, [], {}, [[[]]], [null], { a: 1 }, 'NEWEST', '2026-01-01'),
  fc.json({ maxDepth: 3 }).map((text): unknown => JSON.parse(text)),
);

const userIds = ['1', '2', '3', '7'].map((id) => `"${encodeNodeId('User', id)}"`);
const tweetIds = ['100', '101', '102', '7'].map((id) => `"${encodeNodeId('Tweet', id)}"`);
const articleIds = ['300', '7'].map((id) => `"${encodeNodeId('Article', id)}"`);
const oddNames = ['_', 'id', 'author', ...prototypeKeys, 'x'.repeat(300)];
const rightValues: Readonly<Record<string, readonly string[]>> = {
  first: ['1', '2', '5', '100', '0', '101', '-1', '$n'],
  last: ['1', '2', '5', '100', '0', '101', '-1', '$n'],
  day: ['"2026-01-01"', '"2026-01-21"', '"0000-01-01"', '"9999-12-31"', '"2026-02-30"', '"-1-1-1"'],
  order: ['NEWEST', 'MOST_LIKED'],
  words: [
    '["tweet"]',
    '["tweet", "100"]',
    '["#x", "日本語"]',
    '["a"]',
    '["", "💥"]',
    '["ada", "tweet"]',
    '[$s]',
  ],
  from: [
    '"2026-01-01T00:00:00Z"',
    '"2025-12-31T23:59:30.5Z"',
    '"2025-12-31T00:00:00Z"',
    '"2026-01-01T11:00:00Z"',
  ],
  to: ['"2026-01-02T00:00:00Z"', '"2026-01-01T12:00:30+02:00"', '"2026-01-03T00:00:00Z"', '"2026-01-01"'],
  at: ['"2026-01-02T00:00:00Z"', '"0001-01-01T00:00:00Z"', '"9999-12-31T23:59:59Z"', 'null'],
  kind: ['TOP_ACCOUNTS', 'TOP_FOLLOWERS'],
  unit: ['MINUTE', 'HOUR', 'DAY'],
  window: ['HOUR', 'DAY', 'WEEK'],
  precision: ['1', '2', '4', '8', '9', 'null'],
  south: ['-90', '-1', '0', '1.25', '-2.25', '1', '-90.5'],
  north: ['90', '1.5', '2', '1.75', '3', '-1'],
  west: ['-180', '170', '-2', '0', '1', '180.5'],
  east: ['180', '-170', '-2', '1.5', '2', '$n'],
  username: ['"ada"', '"bo"', '"nobody"', '"x_1"', '$s'],
  twitterAccount: ['"ada"', '"nobody"', 'null', '$s'],
  name: ['"A name"', '"#x"', '"X"', '""', '$s'],
  description: ['"Some words"', 'null', '$s'],
  content: ['"Some words"', '"Other #words by @ada"', '""', '$s'],
  language: ['"en"', '"x"', 'null', '$s'],
  latitude: ['0', '1.5', '90', '-90.5', '1e400'],
  longitude: ['0', '1.5', '-180', '180.5', '$n'],
  country: ['"Chad"', 'null', '$s'],
  inReplyTo: [`"${encodeNodeId('Tweet', '100')}"`, `"${encodeNodeId('Tweet', '7')}"`, '"x"', 'null'],
  quotes: [`"${encodeNodeId('Tweet', '101')}"`, `"${encodeNodeId('User', '1')}"`, 'null'],
  idempotencyKey: ['"a"', '"b"', '""', 'null', '$s'],
  title: ['"A title"', '"Other words"', '""', '$s'],
  body: ['"Some words"', '"It rains."', '""', '$s'],
  tags: ['["weather"]', '["a", "b", "a"]', '[]', 'null', '[""]'],
  articleId: [...articleIds, '"x"'],
  tweetId: ['"100"', '"111"', '"7"', '$s'],
  id: [...userIds, ...tweetIds, '"x"'],
  ids: [`["${encodeNodeId('User', '1')}", "${encodeNodeId('Tweet', '100')}"]`, '[]', '["x"]'],
};
const rightDirectives = ['@skip(if: false)', '@include(if: true)', '@skip(if: true)', '@include(if: $b)'];
const wrongDirectives = [
  '@defer',
  '@stream(initialCount: 1)',
  '@deprecated',
  '@skip',
  '@skip(if: "x")',
  '@a @a',
  '@',
];

// Made once: fast-check keeps each function that it is given, with all that belongs to it.
const permille = () => fc.noBias(fc.nat(999));
const anyText = () => oddText;
const anyNumber = () => wholeNumbers;

/** Documents written from a schema, of which some are as they should be, and some are not: a little or very much. */
export function documentsOf(
  schema: GraphQLSchema,
  operation: 'query' | 'mutation' = 'query',
): fc.Arbitrary<string> {
  const composite = Object.values(schema.getTypeMap()).filter((type) => isCompositeType(type));
  const root = operation === 'query' ? schema.getQueryType() : schema.getMutationType();
  if (!root) throw new Error(`The schema must have a ${operation} type, but has none`);
  return fc.tuple(fc.gen(), fc.constantFrom(0, 0, 0, 0.02, 0.3)).map(([g, wild]) => {
    const upTo = (most: number) => g(permille) % (most + 1);
    const chance = (of: number) => g(permille) < of * 1000;
    const pick = <T>(from: readonly T[]): T => from[upTo(from.length - 1)] as T;
    const name = () => (chance(wild) ? pick(['', '1a', 'é', '$', '...', 'on', 'a b']) : pick(oddNames));
    let aliases = 0;
    const alias = () => (chance(0.3) || wild > 0.1 ? name() : `a${String(aliases++)}`);

    function literal(depth = 0): string {
      const simple = [
        () => JSON.stringify(g(anyText)),
        () => String(g(anyNumber)).replace('+', ''),
        () =>
          pick([
            '1e400',
            '-0',
            '1.5',
            '9'.repeat(100),
            '-1e-400',
            '0.1e1',
            'null',
            'true',
            'OLDEST',
            '__proto__',
          ]),
        () => `"""${JSON.stringify(g(anyText)).replaceAll('"""', '')} """`,
        () => pick(['"\\ud800"', '"\\u0000"', '"\\u{110000}"', '"\\uD83D\\uDCA9"', '"\\u{1F4A9}"']),
        () => `$${pick(oddNames)}`,
      ];
      const nested = [
        () => '['.repeat(1 + depth * 5) + literal(depth + 1) + ']'.repeat(1 + depth * 5),
        () => `{ ${name()}: ${literal(depth + 1)} }`,
        () => `[${literal(depth + 1)}, ${literal(depth + 1)}]`,
      ];
      return pick(depth > 3 ? simple : [...simple, ...nested])();
    }
    /** A value of an argument or of a field of an input, mostly of its type. */
    function value({ name: of, type }: { readonly name: string; readonly type: GraphQLInputType }): string {
      const named = getNamedType(type);
      if (chance(wild)) return literal();
      if (!isInputObjectType(named)) return pick(rightValues[of] ?? [literal()]);
      const given = Object.values(named.getFields()).filter(
        (field) => isRequiredInputField(field) || chance(0.3),
      );
      return `{ ${given.map((field) => `${field.name}: ${value(field)}`).join(', ')} }`;
    }
    function directives(): string {
      return chance(0.1) ? ` ${pick(chance(wild) ? wrongDirectives : rightDirectives)}` : '';
    }
    function selection(type: GraphQLNamedType, depth: number, spreads = true): string {
      if (!isObjectType(type) && !isInterfaceType(type)) return chance(wild) ? '{ id }' : '';
      const fields = Object.values(type.getFields());
      const one = (): string => {
        const kind = upTo(19);
        if (kind === 0) return '__typename';
        if (kind === 1 && spreads)
          return `...F${chance(wild) ? pick(composite).name : type.name}${directives()}`;
        if (kind === 2) {
          const on = chance(wild) ? pick(composite) : type;
          return `... on ${on.name}${directives()} ${selection(on, depth + 1, spreads)}`;
        }
        if (kind === 3) return `...${directives()} ${selection(type, depth + 1, spreads)}`;
        const field = pick(fields);
        const named = getNamedType(field.type);
        if (isCompositeType(named) && depth > 6) return '__typename';
        const args = field.args.flatMap((argument) => {
          if (!chance(isRequiredArgument(argument) ? 1 - wild / 4 : 0.15)) return [];
          const ofKind = /User$/.test(field.name)
            ? userIds
            : /Tweet$/.test(field.name)
              ? tweetIds
              : field.name === 'article'
                ? articleIds
                : [];
          const isKnown = argument.name === 'id' && ofKind.length > 0 && !chance(0.1 + wild);
          return `${argument.name}: ${isKnown ? pick(ofKind) : value(argument)}`;
        });
        if (chance(wild / 4)) args.push(`${name()}: ${literal()}`);
        const named_ = args.length > 0 || chance(0.2) ? `${alias()}: ` : '';
        const given = args.length > 0 ? `(${args.join(', ')})` : '';
        return `${named_}${chance(wild / 8) ? name() : field.name}${given}${directives()} ${selection(named, depth + 1, spreads)}`;
      };
      // One act that is refused refuses all: mostly there is one.
      const most = depth > 3 ? 1 : depth === 0 && operation === 'mutation' && chance(0.8) ? 0 : 3;
      return `{ ${Array.from({ length: 1 + upTo(most) }, one).join(' ')} }`;
    }
    function introspection(): string {
      const [lists, types] = [upTo(4), upTo(60)];
      return `{ __schema { types { ${'fields { type { '.repeat(lists)}${'ofType { '.repeat(types)}name${' }'.repeat(2 * lists + types)} } } }`;
    }
    const body = chance(0.05) ? introspection() : selection(root, 0);
    const fragments = new Map<string, string>();
    for (const [, type = ''] of body.matchAll(/\.\.\.F(\w+)/g)) {
      const on = schema.getType(type);
      if (on && !chance(wild / 4))
        fragments.set(type, `fragment F${type} on ${type} ${selection(on, 5, chance(wild))}`);
    }
    const whole = [body, ...fragments.values()].join(' ');
    const known = { n: 'Int', s: 'String! = "ada"', b: 'Boolean! = true' };
    const variables = Object.entries(known).flatMap(([variable, type]) =>
      whole.includes(`$${variable}`) || chance(wild / 8)
        ? `$${variable}: ${chance(wild / 2) ? pick(['[[ID!]!]!', 'Nope', 'User', 'String! = null']) : type}`
        : [],
    );
    const declared = variables.length > 0 ? `(${variables.join(', ')})` : '';
    const kind = chance(wild / 4) ? pick(['mutation', 'subscription', 'fragment', '']) : operation;
    const another = chance(wild / 4) ? ` query ${name()} { __typename }` : '';
    return `${kind} ${chance(0.5) ? '' : pick(oddNames)}${declared}${chance(wild) ? directives() : ''} ${whole}${another}`;
  });
}
