import { getOperationAST, parse } from 'graphql';
import { createSchema } from '../../src/app';
import { readConfig } from '../../src/config';
import { createOperations } from '../../src/kit/graphql/operations';
import type { RequestedOperation } from '../../src/kit/graphql/executor';
import type { PreparationQueue } from '../../src/kit/graphql/preparation-queue';

const schema = createSchema();
const { limits } = readConfig({});

/** Operations with a queue that gives every turn at once, and tells who has waited for one. */
function operationsWithQueue() {
  const waited: string[] = [];
  const preparing: PreparationQueue = {
    async wait({ caller }) {
      waited.push(caller);
      return Promise.resolve(true);
    },
  };
  const execution = {
    isTrusted: () => false,
    kept: { size: 0 } as never,
    isPrepared: () => true,
    run: () => Promise.resolve({ data: {} }),
  };
  const operations = createOperations(schema, { limits }, { documents: {} as never, preparing, execution });
  return { waited, operations };
}

function contextOf(more: { readonly costOnly?: boolean } = {}) {
  const nothing = () => undefined;
  return {
    caller: 'ada',
    mayIntrospect: true,
    logged: {},
    pass: { allowBytes: nothing },
    limits: { countWork: nothing, charge: nothing, waitForRoom: () => Promise.resolve() },
    ...more,
  } as never;
}

const source = (users: number) =>
  `query ($n: Int) { ${Array.from({ length: users }, (_, n) => `a${n}: user(username: "u${n}") { followers(first: $n) { nodes { id followerCount } } }`).join(' ')} }`;

function requested(users: number): (variables: Record<string, unknown>) => RequestedOperation {
  const document = parse(source(users));
  const operation = getOperationAST(document);
  if (!operation) throw new Error('must have an operation');
  return (variables) => ({ document, operation, queryHash: 'x', variables });
}

test('a large operation waits for its turn once for each value of its variables', async () => {
  const { waited, operations } = operationsWithQueue();
  const ask = requested(30);
  for (const n of [1, 2, 1, 2, 3, 3]) await operations.run(ask({ n }), contextOf());
  expect(waited).toEqual(['ada', 'ada', 'ada']);
});

test('one that is refused, or asks for its cost, waits each time, because its fields are listed', async () => {
  const { waited, operations } = operationsWithQueue();
  const ask = requested(90);
  for (let n = 0; n < 3; n++) {
    const { errors = [] } = await operations.run(ask({ n: 100 }), contextOf());
    expect(errors.map(({ extensions }) => extensions['code'])).toEqual(['QUERY_TOO_LARGE']);
  }
  expect(waited).toHaveLength(3);
  const known = requested(30);
  for (let n = 0; n < 3; n++) await operations.run(known({ n: 1 }), contextOf({ costOnly: true }));
  expect(waited).toHaveLength(6);
});

test('a small operation does not wait', async () => {
  const { waited, operations } = operationsWithQueue();
  const ask = requested(5);
  for (const n of [1, 2, 3]) await operations.run(ask({ n }), contextOf());
  expect(waited).toEqual([]);
});

test('a value that has the wrong type is refused without a turn', async () => {
  const { waited, operations } = operationsWithQueue();
  const ask = requested(30);
  await operations.run(ask({ n: 1 }), contextOf());
  const { errors = [] } = await operations.run(ask({ n: 'many' }), contextOf());
  expect(errors.map(({ extensions }) => extensions['code'])).toEqual(['BAD_USER_INPUT']);
  expect(waited).toEqual(['ada']);
});
