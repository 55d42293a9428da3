import { parse } from 'graphql';
import { createDocumentStore } from '../../src/kit/graphql/document-store';

test('one document cannot drive all others out', async () => {
  const store = createDocumentStore(new Map());
  const small = parse('{ id }');
  const huge = parse(`{ id } #${'a'.repeat(430_000)}`);
  await store.set('schema:small', small);
  await store.set('schema:huge', huge);
  expect(await store.get('schema:small')).toBe(small);
  expect(store.has('{ id }')).toBe(true);
  expect(await store.get('schema:huge')).toBeUndefined();
});

test('many documents drive out the oldest', async () => {
  const store = createDocumentStore(new Map());
  for (let n = 0; n < 30; n++) await store.set(`schema:${n}`, parse(`{ id } #${n} ${'a'.repeat(20_000)}`));
  expect(await store.get('schema:0')).toBeUndefined();
  expect(await store.get('schema:29')).toBeDefined();
});
