import fc from 'fast-check';
import { isSafeNumber, parse } from 'lossless-json';
import { parseExactly } from '../../src/kit/base/exact-json';

/** What another library makes of a JSON text, with the same numbers. */
function expected(json: string): unknown {
  return parse(json, undefined, {
    parseNumber(text) {
      const number = Number(text);
      const isExact = /^-?\d+$/.test(text) ? isSafeNumber(text) : Number.isFinite(number);
      return isExact ? number : text;
    },
    onDuplicateKey: ({ newValue }) => newValue,
  });
}

const number = fc.oneof(
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom(
    '9007199254740991',
    '9007199254740992',
    '-9007199254740993',
    '1e400',
    '-1E+400',
    '1e-400',
    '0.5e3',
    '-0.25',
  ),
);
/** Texts that look like numbers, ends of texts and escapes. */
const text = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.constantFrom('"', '\\', '12345678901234567890', ':', ',', '{', '-', '\n', 'é', '\\"'))
      .map((all) => all.join('')),
  )
  .map((some) => JSON.stringify(some));
const { json } = fc.letrec<{ json: string; list: string; object: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    number,
    text,
    fc.constantFrom('true', 'false', 'null'),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('json'), { maxLength: 5 }).map((all) => `[ ${all.join(' , ')} ]`),
  object: fc
    .array(
      fc.tuple(
        text.filter((key) => key !== '"__proto__"'),
        tie('json'),
      ),
      { maxLength: 5 },
    )
    .map((all) => `{${all.map(([key, value]) => `${key} :${value}`).join(',')}}`),
}));

test('a JSON text is read as another library reads it, and integers beyond 2^53 are their digits', () => {
  fc.assert(
    fc.property(json, (source) => {
      expect(parseExactly(source)).toEqual(expected(source));
    }),
    { numRuns: 2000 },
  );
  expect(parseExactly('{"id":2126072365723865089,"n":[1,-9007199254740993]}')).toEqual({
    id: '2126072365723865089',
    n: [1, '-9007199254740993'],
  });
});

test('a long text takes the memory of its characters', () => {
  const source = JSON.stringify({ id: 1, text: '語é'.repeat(150_000) });
  const before = process.memoryUsage().heapUsed;
  const parsed = Array.from({ length: 20 }, () => parseExactly(source));
  // 0.6 MB each, and as much for what is thrown away; a rope of single characters has 10 MB each.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
  expect(parsed).toHaveLength(20);
});
