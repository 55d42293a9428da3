import fc from 'fast-check';
import {
  getOperationAST,
  getVariableValues,
  isAbstractType,
  getNamedType,
  Kind,
  parse,
  specifiedRules,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
} from 'graphql';
import { createSchema } from '../../src/app';
import { pointsOfComputing } from '../../src/kit/cost/check-cost';
import { sizedSumOf } from '../../src/kit/cost/cost';
import { createCostFunction, type CostFunction } from '../../src/kit/cost/query-cost';
import { refuseConditionalSubscriptions } from '../../src/kit/graphql/refuse-conditional-subscriptions';
import { documentsOf } from '../support/documents';

const schema = createSchema();

/** A valid document with one operation; null for any other text. */
function validOf(source: string): DocumentNode | null {
  try {
    const document = parse(source);
    // The first rule refuses what makes the others throw.
    for (const rules of [[refuseConditionalSubscriptions], specifiedRules])
      if (validate(schema, document, rules).length > 0) return null;
    return getOperationAST(document) ? document : null;
  } catch {
    return null;
  }
}

/** Returns the function that computes the cost of a document's operation, and how its variables are coerced. */
function costingOf(document: DocumentNode) {
  const operation = getOperationAST(document);
  if (!operation) throw new Error('must have one operation');
  const fragments = Object.fromEntries(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );
  return {
    create: () => createCostFunction(schema, { operation, fragments, isForPeople: true }),
    coerce: (given: Readonly<Record<string, unknown>>) =>
      getVariableValues(schema, operation.variableDefinitions ?? [], given).coerced,
  };
}

/** The cost for some variables, or what is wrong with them. */
function outcomeOf(costOf: CostFunction, variables: Readonly<Record<string, unknown>>) {
  try {
    const { computed: _computed, fields, ...cost } = costOf(variables);
    return { ...cost, fields: fields() };
  } catch (error) {
    return String(error);
  }
}

const values = fc.record(
  {
    n: fc.constantFrom(1, 3, 25, 100, null),
    s: fc.constantFrom('ada', '100', null),
    b: fc.constantFrom(true, false, null),
  },
  { requiredKeys: [] },
);

test.each(['query', 'mutation'] as const)(
  'the cost of a %s is the same whatever was computed before, and what its fields read is its sum',
  (kind) => {
    let compared = 0;
    fc.assert(
      fc.property(
        documentsOf(schema, kind),
        fc.array(values, { minLength: 3, maxLength: 4 }),
        (source, given) => {
          const document = validOf(source);
          if (document === null) return;
          const { create, coerce } = costingOf(document);
          const shared = create();
          for (const one of [...given, ...given.toReversed()]) {
            const variables = coerce(one);
            if (!variables) continue;
            const outcome = outcomeOf(shared, variables);
            expect(outcome).toEqual(outcomeOf(create(), variables));
            compared++;
            if (typeof outcome === 'string' || hasAbstractFields(document)) continue;
            expect(outcome.reads).toBe(sizedSumOf(outcome.fields).reads);
          }
        },
      ),
      { numRuns: 300 },
    );
    expect(compared).toBeGreaterThan(100);
  },
);

/** Whether a field may return objects of several types, of which only the dearest counts. */
function hasAbstractFields(document: DocumentNode): boolean {
  const typeInfo = new TypeInfo(schema);
  let isFound = false;
  const visitor = visitWithTypeInfo(typeInfo, {
    Field() {
      const type = typeInfo.getType();
      if (type && isAbstractType(getNamedType(type))) isFound = true;
    },
  });
  visit(document, visitor);
  return isFound;
}

const tweet = 'id content likeCount author { id name followerCount } inReplyTo { author { name } }';
const lists = `followers(first: $n) { nodes { id name } } tweets(first: $n) { nodes { ${tweet} } }`;
const sixty = (selection: string) =>
  Array.from({ length: 60 }, (_, n) => `a${n}: user(username: "u${n}") { ${selection} }`).join(' ');

test.each([
  ['sixty times', `query ($n: Int) { ${sixty(lists)} }`, 60 * 7],
  [
    'once, and reached by sixty ways',
    `query ($n: Int) { ${sixty('...F')} } fragment F on User { ${lists} }`,
    60 + 60 * 2 + 6,
  ],
])(
  'another value of a variable costs the work of the fields that it changes, written %s',
  (_, source, most) => {
    const { create } = costingOf(parse(source));
    const costOf = create();
    const first = costOf({ n: 1 });
    const next = costOf({ n: 2 });
    expect(next.reads).toBeGreaterThan(first.reads);
    expect(first.size).toBeGreaterThan(900);
    expect(next.computed).toBeLessThanOrEqual(most);
    expect(pointsOfComputing(next, false)).toBe(Math.floor(next.computed / 10));
    expect(pointsOfComputing(next, true)).toBeGreaterThan(90);
  },
);

test('what does not depend on variables is computed once, nor is anything computed for another value that does not matter', () => {
  const { create } = costingOf(
    parse(`query ($id: String!) { user(username: $id) { timeline { nodes { ${tweet} } } } }`),
  );
  const costOf = create();
  expect(costOf({ id: 'ada' }).computed).toBeGreaterThan(10);
  expect(costOf({ id: 'bo' }).computed).toBe(0);
});

test('costs are remembered by the values that matter, which may be others for other values', () => {
  const source = `query ($n: Int, $id: String!, $more: Boolean!, $m: Int) {
    user(username: $id) { tweets(first: $n) { nodes { id } } }
    more: user(username: $id) @include(if: $more) { likes(first: $m) { nodes { id } } }
  }`;
  const { create } = costingOf(parse(source));
  const costOf = create();
  const computedFor = (variables: Readonly<Record<string, unknown>>) => {
    const cost = costOf(variables);
    expect(cost.rows).toBe(create()(variables).rows);
    return cost.computed > 0;
  };
  const plain = { id: 'ada', n: 1, more: false, m: 1 };
  const first = [
    computedFor(plain),
    computedFor({ ...plain, id: 'bo', m: 2 }),
    computedFor({ ...plain, n: 2 }),
  ];
  expect(first).toEqual([true, false, true]);
  // From now on, $m matters.
  expect(computedFor({ ...plain, more: true })).toBe(true);
  expect(computedFor({ ...plain, more: true, id: 'bo' })).toBe(false);
  expect(computedFor({ ...plain, more: true, m: 2 })).toBe(true);
  expect(computedFor({ ...plain, n: 2 })).toBe(true);
});

test('the fields of an input object are compared', () => {
  const source = `query ($area: AreaInput!) {
    tweetHeatmap(area: $area, from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z", precision: 4) { count }
  }`;
  const { create, coerce } = costingOf(parse(source));
  const costOf = create();
  const area = { south: 47, west: 8, north: 48, east: 9 };
  const computed = [area, { ...area }, { ...area, north: 49 }, area].map((one) => {
    const variables = coerce({ area: one }) ?? {};
    const cost = costOf(variables);
    expect(cost.reads).toBe(create()(variables).reads);
    return cost.computed > 0;
  });
  expect(computed).toEqual([true, false, true, false]);
});

test('the values of many variables are not compared', () => {
  const names = Array.from({ length: 300 }, (_, n) => `n${n}`);
  const { create } = costingOf(
    parse(
      `query (${names.map((name) => `$${name}: Int`).join(' ')}) { user(username: "ada") { ${names.map((name) => `${name}: tweets(first: $${name}) { nodes { id } }`).join(' ')} } }`,
    ),
  );
  const costOf = create();
  const variables = Object.fromEntries(names.map((name, n) => [name, n % 100]));
  expect([1, 2].map(() => costOf(variables).computed > 0)).toEqual([true, true]);
});

test('a list that is too long is not compared, and an error is thrown each time', () => {
  const { create } = costingOf(parse('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }'));
  const costOf = create();
  const nine = 'abcdefghi'.split('');
  const outcomesOf = [['a'], ['a', 'b'], ['a'], ['b'], nine, nine].map((ids) => {
    const { nodes, computed } = costOf({ ids });
    return [nodes, computed > 0];
  });
  expect(outcomesOf).toEqual([
    [1, true],
    [2, true],
    [1, false],
    [1, true],
    [9, true],
    [9, true],
  ]);
  const failing = costingOf(
    parse('query ($n: Int = 1) { user(username: "ada") { tweets(first: $n) { nodes { id } } } }'),
  );
  const failingCost = failing.create();
  const outcomes = [1, null, 1, null].map((n) => outcomeOf(failingCost, { n }));
  expect(outcomes[0]).toEqual(outcomes[2]);
  expect(outcomes[1]).toEqual(outcomes[3]);
  expect(outcomes[1]).toEqual(outcomeOf(failing.create(), { n: null }));
});
