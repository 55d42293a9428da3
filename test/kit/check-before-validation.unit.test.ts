import { buildSchema } from 'graphql';
import { checkBeforeValidation } from '../../src/kit/graphql/check-before-validation';

const schema = buildSchema('type Query { a: Query b: Query id: ID } type Subscription { a: Query }');
const check = (text: string) => () => {
  checkBeforeValidation(schema, text);
};

/** So many copies of a selection. */
const copies = (count: number, selection: string) => `${selection} `.repeat(count);

test.each([
  ['in one place', `{ ${copies(102, 'a { id }')} }`],
  ['below a field that is merged', `{ ${copies(20, `a { ${copies(6, 'b { id }')} }`)} }`],
  ['in fragments of one place', `{ ${Array.from({ length: 101 }, (_, n) => `...F${n}`).join(' ')} }`],
  ['in a fragment that nothing spreads', `{ id } fragment F on Query { ${copies(102, 'a { id }')} }`],
  [
    'in fragments that stand above each other and together again below',
    `{ ${Array.from({ length: 25 }, (_, n) => `a { ...F${n} `).join('')} ${Array.from({ length: 25 }, (_, n) => `...F${n}`).join(' ')} ${'}'.repeat(26)} ${Array.from({ length: 25 }, (_, n) => `fragment F${n} on Query { ${copies(5, 'b { id }')} }`).join(' ')}`,
  ],
])('too many fields %s are refused', (_, text) => {
  expect(check(text)).toThrow('A query asks for the same fields in too many places');
});

test.each([
  [
    'fifty clients with a fragment each',
    `{ a { ${Array.from({ length: 50 }, (_, n) => `...F${n}`).join(' ')} } } ${Array.from({ length: 50 }, (_, n) => `fragment F${n} on Query { id a { id } }`).join(' ')}`,
  ],
  ['the same field seventy times', `{ ${copies(70, 'a { id }')} }`],
  ['what is no document', '{'],
])('%s pass', (_, text) => {
  expect(check(text)).not.toThrow();
});

test('fragments that spread each other in a circle are refused', () => {
  expect(check('{ ...A } fragment A on Query { a { ...B } } fragment B on Query { ...A }')).toThrow(
    'Cannot spread fragment "A" within itself via "B".',
  );
});

test('a fragment counts where it is spread, not once more where it is written', () => {
  const fields = Array.from({ length: 6000 }, (_, n) => `f${n}: id`).join(' ');
  expect(check(`{ ...F } fragment F on Query { ${fields} }`)).not.toThrow();
});

test.each([
  ['subscription { a @skip(if: false) { id } }', 'skip'],
  ['subscription ($b: Boolean!) { a @include(if: $b) { id } }', 'include'],
  ['subscription { a @skip { id } }', 'skip'],
  ['subscription { ... @include(if: true) { a { id } } }', 'include'],
  ['{ id } subscription S { ...F } fragment F on Subscription { ... { a @skip(if: 1) { id } } }', 'skip'],
])('the condition of %s is refused', (text, directive) => {
  expect(check(text)).toThrow(`The field of a subscription must not have @${directive}.`);
});

test('conditions below the field of a subscription, and in queries, pass', () => {
  expect(
    check('subscription { a { id @skip(if: true) } } query { a @include(if: true) { id } }'),
  ).not.toThrow();
});

test('fields are counted before conditions are looked for, which takes time for each operation', () => {
  const text = `subscription { ...F } fragment F on Subscription { ${copies(102, 'a @skip(if: true) { id }')} }`;
  expect(check(text)).toThrow('A query asks for the same fields in too many places');
});

test('fragments count where they are spread, also if they have no fields', () => {
  const below = (name: string, fragment: string) =>
    Array.from({ length: 50 }, (_, n) => `${name}${n}: a { ...${fragment} }`).join(' ');
  const text = `{ ${below('p', 'P')} } fragment P on Query { ${below('q', 'F')} } fragment F on Query { ${copies(4000, '...G')} } fragment G on Query { id }`;
  expect(check(text)).toThrow('A query may have 10000 fields');
});
