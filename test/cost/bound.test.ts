import fc from 'fast-check';
import type { FieldCost } from '../../src/kit/cost/query-cost';
import type { Read } from '../../src/kit/load';
import { createSchema } from '../../src/schema';
import { median } from '../../bench/measure';
import { documentsOf } from '../documents';
import type { Harness } from '../harness';
import { startNetwork } from './network';

/** How many valid queries are tried: more by `npm run test:cost`. */
const QUERIES = Number(process.env['COST_QUERIES'] ?? 500);
/** Beside which as many may be refused, being too odd or too large. */
const MOST_TRIED = 20 * QUERIES;
/** How many documents are tried before it is looked at whether that is enough. */
const RUNS_AT_ONCE = 250;

interface Cost {
  readonly bound: number;
  readonly boundOfRows: number;
  readonly reads: number;
  readonly rows: number;
  readonly fields: readonly FieldCost[];
}

let server: Harness;
beforeAll(async () => {
  server = await startNetwork();
});

test(
  'no query reads more partitions or rows than its bound says',
  async () => {
    const ratios = new Map<string, number[]>();
    let valid = 0;
    let tried = 0;
    const property = fc.asyncProperty(
      documentsOf(createSchema()),
      fc.constantFrom('service', '1', '2', null),
      fc.record({
        n: fc.constantFrom(1, 3, 25, 100),
        s: fc.constantFrom('ada', 'x_1', '100'),
        b: fc.boolean(),
      }),
      async (source, who, variables) => {
        tried++;
        const { data, extensions } = await askWithCost(source, variables, who);
        if (extensions?.cost?.reads === undefined || data == null) return;
        valid++;
        const { bound, boundOfRows, reads, rows, fields } = extensions.cost;
        if (reads > bound || rows > boundOfRows)
          throw new Error(
            `A query must read at most its bound, ${bound} partitions and ${boundOfRows} rows, but read ${reads} and ${rows}: ${JSON.stringify({ fields, reads: extensions.explain })}`,
          );
        addRatios(ratios, fields, extensions.explain ?? []);
      },
    );
    while (valid < QUERIES && tried < MOST_TRIED) await fc.assert(property, { numRuns: RUNS_AT_ONCE });
    expect(valid).toBeGreaterThanOrEqual(QUERIES);
    if (process.env['COST_QUERIES'] !== undefined) tell(valid, tried, ratios);
  },
  6 * 3_600_000,
);

async function askWithCost(query: string, variables: object, who: string | null) {
  const { body } = await server.post(JSON.stringify({ query, variables }), who);
  return JSON.parse(body) as {
    readonly data?: unknown;
    readonly extensions?: { readonly cost?: Cost; readonly explain?: readonly Read[] };
  };
}

/** Notes how far the bound of each field is from what it read; a read that several fields share counts in part for each. */
function addRatios(
  ratios: Map<string, number[]>,
  fields: readonly FieldCost[],
  reads: readonly Read[],
): void {
  const measured = new Map<string, number>();
  for (const { paths, partitions } of reads)
    for (const path of paths) measured.set(path, (measured.get(path) ?? 0) + partitions / paths.length);
  for (const { path, field, reads: bound } of fields) {
    const read = measured.get(path);
    if (read) ratios.set(field, [...(ratios.get(field) ?? []), bound / read]);
  }
}

function tell(valid: number, tried: number, ratios: ReadonlyMap<string, readonly number[]>): void {
  const lines = [...ratios].map(([field, some]) => `${field}: ${median(some).toFixed(1)} (${some.length})`);
  process.stdout.write(
    `${valid} valid queries of ${tried}; bound : measured, median by field\n${lines.sort().join('\n')}\n`,
  );
}
