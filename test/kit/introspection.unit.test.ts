import { buildSchema, getIntrospectionQuery, getOperationAST, graphqlSync, parse } from 'graphql';
import { createIntrospection } from '../../src/kit/graphql/introspection';

const schema = buildSchema(
  'type Query { news: String user: User } type User { name: String } type Tweet { content: String }',
);

function requestOf(source: string, variables: Readonly<Record<string, unknown>> = {}) {
  const document = parse(source);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('must have one operation');
  return { document, operation, queryHash: source, variables };
}

/** Asks twice, and tells whether the second answer was a kept one, and the points that were charged. */
function askTwice(source: string, ...variables: readonly [first?: object, second?: object]) {
  const introspection = createIntrospection();
  let points = 0;
  const answers = [variables[0] ?? {}, variables[1] ?? {}].map((given) => {
    const request = requestOf(source, { ...given });
    const { kept, points: more } = introspection.find(request);
    points += more;
    const answer = kept ?? graphqlSync({ schema, source, variableValues: request.variables });
    introspection.keep(request, answer);
    return { answer, isKept: kept !== undefined, text: introspection.textOf(answer) };
  });
  return { answers, points, isKept: answers[1]?.isKept };
}

test('an answer about the schema is made once, and charged once', () => {
  const source = getIntrospectionQuery();
  const { answers, points, isKept } = askTwice(source);
  expect([isKept, points]).toEqual([true, 500]);
  const { data } = graphqlSync({ schema, source });
  expect(answers[1]?.answer.data).toEqual(data);
  expect(answers[1]?.text).toBe(`${JSON.stringify({ data })}\n`);
});

const ofType =
  'query ($n: String = "User", $x: Boolean = false) { __type(name: $n) { fields(includeDeprecated: $x) { name } } }';

test.each<[string, string, object | undefined, object | undefined, boolean, number]>([
  ['the same values of variables', ofType, { n: 'Tweet' }, { n: 'Tweet' }, true, 500],
  ['other values', ofType, { n: 'Tweet' }, { n: 'User' }, false, 1000],
  ['a null, which is no absent value', ofType, {}, { x: null }, false, 1000],
  ['values that the operation does not have', ofType, { y: 1 }, { y: 2 }, true, 500],
  ['a name of the type only', '{ __typename }', {}, {}, false, 0],
  ['data as well', '{ __schema { description } news }', {}, {}, false, 1000],
  [
    'data in a fragment',
    '{ ...F __schema { description } } fragment F on Query { news }',
    {},
    {},
    false,
    1000,
  ],
  [
    'the schema in a fragment',
    '{ ...F } fragment F on Query { ... { __schema { description } } }',
    {},
    {},
    true,
    500,
  ],
  ['no schema', '{ news }', {}, {}, false, 0],
])('an answer is kept for those who ask for nothing else: %s', (_, source, first, second, isKept, points) => {
  expect(askTwice(source, first, second)).toMatchObject({ isKept, points });
});
