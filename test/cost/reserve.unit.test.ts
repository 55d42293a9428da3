import fc from 'fast-check';
import { sumOf, type Cost } from '../../src/kit/cost/cost';
import { limitLoad } from '../../src/kit/cost/limit-load';
import { getOperationAST, parse } from 'graphql';
import { createSchema } from '../../src/app';
import { readConfig } from '../../src/config';
import { createCostFunction, type FieldCost, type QueryCost } from '../../src/kit/cost/query-cost';
import { withReserved } from '../../src/kit/cost/reserve';
import { reserveFor } from '../../src/kit/graphql/operations';
import type { Load } from '../../src/kit/reads/load';
import { buckets } from '../../src/kit/lists/buckets';

const keyOf = (owner: number, limit: number) => ({ owner: String(owner), list: 'any', limit });
const costs = fc.record({ reads: fc.integer({ min: 1, max: 20 }), rows: fc.integer({ min: 1, max: 200 }) });

/** A `load` whose reads are answered with as many rows as they ask for, later; `onRead` is told of each when it begins. */
function loadOf(onRead: (rows: number) => void): Load {
  const read = async <Result>(_statement: unknown, key: unknown): Promise<Result> => {
    const rows = Number(Reflect.get(Object(key) as object, 'limit'));
    onRead(rows);
    await Promise.resolve();
    return Array.from({ length: rows }, () => ({})) as unknown as Result;
  };
  return Object.assign(read, {
    remembers: () => false,
    forget: () => undefined,
    within: <T>(work: Promise<T>) => work,
  });
}

test('whatever is read, it is granted before, and no more than twice of what is needed is reserved', async () => {
  await fc.assert(
    fc.asyncProperty(
      costs,
      fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 40 }),
      async (from, limits) => {
        const max: Cost = { reads: 1000, rows: 100_000 };
        let granted = from;
        let begun: Cost = { reads: 0, rows: 0 };
        const load = loadOf((rows) => {
          begun = sumOf([begun, { reads: 1, rows }]);
          expect(begun.reads).toBeLessThanOrEqual(granted.reads);
          expect(begun.rows).toBeLessThanOrEqual(granted.rows);
        });
        const limited = limitLoad(load, max, () => new Error('refused'), {
          from,
          add: async (more) => {
            await Promise.resolve();
            granted = sumOf([granted, more]);
          },
        });
        await Promise.all(limits.map((limit, n) => limited(buckets.page, keyOf(n, limit))));
        expect(limited.used()).toEqual(begun);
        const factor = Math.max(1, begun.reads / from.reads, begun.rows / from.rows);
        expect(granted.reads).toBeLessThanOrEqual(Math.max(from.reads, 2 * factor * from.reads));
        if (begun.reads <= from.reads && begun.rows <= from.rows) expect(granted).toEqual(from);
      },
    ),
  );
});

test('a read that must not be reserved is not made, and neither is one beyond the greatest bound', async () => {
  let read = 0;
  const load = loadOf(() => read++);
  const add = () => Promise.reject(new Error('too dear'));
  const poor = limitLoad(load, { reads: 9, rows: 900 }, () => new Error('refused'), {
    from: { reads: 2, rows: 900 },
    add,
  });
  const answers = await Promise.allSettled([0, 1, 2].map((n) => poor(buckets.page, keyOf(n, 1))));
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  await expect(poor.reserve({ reads: 5, rows: 0 })).rejects.toThrow('too dear');
  expect(read).toBe(2);
  const rich = limitLoad(load, { reads: 3, rows: 900 }, () => new Error('refused'), {
    from: { reads: 1, rows: 900 },
    add: () => Promise.resolve(),
  });
  await rich.reserve({ reads: 100, rows: 0 });
  const more = await Promise.allSettled([0, 1, 2, 3].map((n) => rich(buckets.page, keyOf(n, 1))));
  expect(more.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
});

test.each(['a', 'of_a'])(
  'what a field reserves is part of the bound of the query, of the field and of its table, reserved for %s',
  (table) => {
    const sized = { reads: 5, rows: 50, bytes: 7 };
    const fieldOf = (path: string, field: string) => ({
      ...{ path, field, times: 1, ...sized },
      tables: [
        { table: 'a', otherTables: ['of_a'], ...sized },
        { table: 'b', reads: 1, rows: 1, bytes: 0 },
      ],
    });
    const fields = [fieldOf('x', 'Query.x'), fieldOf('y', 'Query.y'), fieldOf('z', 'Query.y')];
    const total = { reads: 15, rows: 150, bytes: 21, nodes: 1, values: 2, size: 3, computed: 3 };
    const cost: QueryCost = { ...total, fields: () => fields };
    const of = { field: 'Query.y', table };
    const more = { reads: 3, rows: 30 };
    const grown = withReserved(withReserved(cost, of, more), of, more);
    expect(grown).toMatchObject({ reads: 21, rows: 210, bytes: 21, nodes: 1, values: 2 });
    expect(grown.fields()).toEqual([
      fields[0],
      {
        ...fieldOf('y', 'Query.y'),
        ...{ reads: 11, rows: 110, reserved: { reads: 6, rows: 60 } },
        tables: [
          { table: 'a', otherTables: ['of_a'], reads: 11, rows: 110, bytes: 7 },
          { table: 'b', reads: 1, rows: 1, bytes: 0 },
        ],
      },
      fields[2],
    ]);
  },
);

const { limits } = readConfig({});
const NO_COST = { reads: 0, rows: 0, bytes: 0, nodes: 0, values: 0, size: 1, computed: 0 };

/** What reserves for an operation with a field that reads, and how often its fields were listed and its caller was charged. */
function reserving(fields: readonly FieldCost[]) {
  const counts = { listed: 0, charged: 0 };
  const cost: QueryCost = {
    ...NO_COST,
    fields() {
      counts.listed++;
      return fields;
    },
  };
  const nothing = () => undefined;
  const charge = () => {
    counts.charged++;
  };
  const context = {
    cost,
    limits: { charge, countWork: nothing, waitForRoom: () => Promise.resolve() },
    pass: { bytes: 0 },
  };
  return { counts, context, reserve: reserveFor(context as never, limits) };
}

test('after a refusal, whoever asks for no less is refused without listing the fields again, and who asks for less is not', async () => {
  const { counts, reserve } = reserving([]);
  const of = { field: '', table: 'a' };
  const asks = Array.from({ length: 3000 }, () => reserve(of, { reads: 100, rows: 100 }));
  const answers = await Promise.allSettled(asks);
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(limits.reads / 100);
  expect(counts).toEqual({ listed: 1, charged: limits.reads / 100 });
  await expect(reserve(of, { reads: 1, rows: 1000 })).rejects.toMatchObject({
    message: expect.stringMatching(
      /^A query may read at most 10000 partitions, but this one could read 10001/,
    ) as string,
  });
  await reserve(of, { reads: 0, rows: 1000 });
});

test('a bound that has grown many times is listed without a step for each time', async () => {
  const sized = { reads: 1, rows: 1, bytes: 1 };
  const field = { path: 'x', field: 'Query.x', times: 1, ...sized, tables: [{ table: 'a', ...sized }] };
  const { counts, context, reserve } = reserving([field]);
  const grown = Math.min(limits.reads, limits.rows);
  for (let n = 0; n < grown; n++) await reserve({ field: 'Query.x', table: 'a' }, { reads: 1, rows: 1 });
  expect(context.cost.fields()).toMatchObject([
    { reads: grown + 1, reserved: { reads: grown, rows: grown } },
  ]);
  expect(counts.listed).toBe(1);
});

test('the fields of a query are listed once, however often they are asked for', () => {
  const operation = getOperationAST(parse('{ user(username: "ada") { name } }'));
  if (!operation) throw new Error('must have an operation');
  const cost = createCostFunction(createSchema(), { operation, fragments: {}, isForPeople: true })({});
  const [listed, again] = [cost.fields(), cost.fields()];
  expect(listed).toHaveLength(1);
  expect(again === listed).toBe(true);
});
