import { addChange, readChanges } from '../../src/kit/postings/changes';
import { MAX_CHANGES_BYTES } from '../../src/kit/postings/postings.table';

const idOf = (n: number) => String(10n ** 18n + BigInt(n));

test('the changes from each version to the last one are known, each segment once', () => {
  let text: string | null = null;
  let before: string | null = null;
  const all = [['1'], ['2', '3'], [], ['3', '4']];
  all.forEach((segments, n) => {
    text = addChange(text, before, { version: `v${n}`, segments });
    before = `v${n}`;
  });
  expect(readChanges(text, 'v0', 'v3')).toEqual(['2', '3', '4']);
  expect(readChanges(text, 'v2', 'v3')).toEqual(['3', '4']);
  expect(readChanges(text, 'v3', 'v3')).toEqual([]);
});

test.each([
  ['there is none', null, 'v1', 'v2'],
  ['the first version is older than it', 'v1\nv2 5', 'v0', 'v2'],
  ['a server that writes none has made the last version', 'v1\nv2 5', 'v1', 'v3'],
  ['nothing was known before', 'v1\nv2 5', null, 'v2'],
])('a text does not say what has changed if %s', (_, text, from, to) => {
  expect(readChanges(text, from, to)).toBeNull();
});

test('after a version of which no change is known, only later changes are', () => {
  const text = addChange('v1\nv2 5', 'v3', { version: 'v4', segments: ['6'] });
  expect(readChanges(text, 'v3', 'v4')).toEqual(['6']);
  expect(readChanges(text, 'v2', 'v4')).toBeNull();
});

test('the oldest changes are forgotten when the text would be too long, and a change that is too large alone is not known', () => {
  let text: string | null = null;
  for (let n = 0; n < 500; n++)
    text = addChange(text, n === 0 ? null : `v${n - 1}`, { version: `v${n}`, segments: [idOf(n)] });
  expect(Buffer.byteLength(text ?? '')).toBeLessThanOrEqual(MAX_CHANGES_BYTES);
  expect(readChanges(text, 'v0', 'v499')).toBeNull();
  expect(readChanges(text, 'v450', 'v499')).toHaveLength(49);
  const segments = Array.from({ length: 400 }, (_, n) => idOf(n));
  const large = addChange(text, 'v499', { version: 'v500', segments });
  expect(Buffer.byteLength(large)).toBeLessThanOrEqual(MAX_CHANGES_BYTES);
  expect(readChanges(large, 'v499', 'v500')).toBeNull();
  expect(readChanges(addChange(large, 'v500', { version: 'v501', segments: ['7'] }), 'v500', 'v501')).toEqual(
    ['7'],
  );
});
