import * as fc from 'fast-check';
import { readJsonElements } from '../../src/import/records/json-elements';
import { memberSource } from '../../src/import/records/json-member';
import type { Line } from '../../src/import/records/lines';
import { chunked } from './read';

async function elements(json: string, chunkSize = 1 << 16): Promise<Line[]> {
  const all: Line[] = [];
  for await (const some of readJsonElements(chunked(json, chunkSize))) all.push(...some);
  return all;
}

const object = fc.dictionary(fc.string(), fc.jsonValue());

describe('a JSON array', () => {
  test('gives its elements as they stand in the file, with their lines', async () => {
    const all = await elements('[\n  {"a": [1, "]}"]},\n\n  2.50 ,"x\\"" ,\n[ ]]\n');
    expect(all).toEqual([
      { line: 2, text: '{"a": [1, "]}"]}' },
      { line: 4, text: '2.50 ' },
      { line: 4, text: '"x\\"" ' },
      { line: 5, text: '[ ]' },
    ]);
  });

  test('of anything comes apart into what it was put together from, however it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(object, { maxLength: 6 }),
        fc.constantFrom(undefined, 2),
        fc.integer({ min: 1, max: 64 }),
        async (objects, indent, chunkSize) => {
          const all = await elements(JSON.stringify(objects, null, indent), chunkSize);
          expect(all.map((element): unknown => JSON.parse(element.text))).toEqual(
            JSON.parse(JSON.stringify(objects)),
          );
          expect(all.filter((element) => element.problem !== undefined)).toEqual([]);
        },
      ),
    );
  });

  test.each([
    ['a bracket that nothing closes', '{"id":2,"u":{"v":1}'],
    ['a string that nothing closes', '{"id":2,"u":"v}'],
    ['a bracket too many', '{"id":2,"u":[1]]}'],
    ['one bracket closed by another', '{"id":2,"u":[1}}'],
  ])('loses one element to %s', async (_, broken) => {
    for (const separator of [',', ',\n']) {
      const parts = ['{"id":1}', broken, '{"id":3,"l":[{"id":4},{"id":5}]}', '{"id":6}'];
      for (const chunkSize of [1, 7, 1000]) {
        const all = await elements(`[${parts.join(separator)}]`, chunkSize);
        expect(all.filter((element) => element.problem === undefined).map((element) => element.text)).toEqual(
          [0, 2, 3].map((index) => parts[index]),
        );
        expect(all.filter((element) => element.problem !== undefined)).toHaveLength(1);
      }
    }
  });

  test('loses one element to a list that nothing closes', async () => {
    const all = await elements('[{"id":1},{"id":2,"l":[1},{"id":3},{"id":4}]');
    expect(all.map((element) => element.problem)).toEqual([
      undefined,
      expect.any(String),
      undefined,
      undefined,
    ]);
    const unseen = await elements('[{"id":1},{"id":2,"l":[1,{"id":3},{"id":4}]');
    expect(unseen.map((element) => element.text)).toEqual([
      '{"id":1}',
      '{"id":2,"l":[1,{"id":3},{"id":4}]',
      '{"id":3}',
      '{"id":4}',
    ]);
  });

  test('that is cut off says so once', async () => {
    expect(await elements('[{"id":1},{"id":2,"te')).toEqual([
      { line: 1, text: '{"id":1}' },
      { line: 1, text: '{"id":2,"te', problem: 'the file ends inside an element' },
    ]);
    expect(await elements('[{"id":1}\n')).toEqual([
      { line: 1, text: '{"id":1}' },
      { line: 2, text: '', problem: 'the file ends before the array does' },
    ]);
  });

  test('with objects behind its end gives them, and with other text says so once', async () => {
    const objects = await elements('[{"id":1}] {"id":2}, {"id":3}', 4);
    expect(objects.map(({ text, problem }) => problem ?? text)).toEqual(['{"id":1}', '{"id":2}', '{"id":3}']);
    const all = await elements('[{"id":1}]; not JSON, {"id":2}', 4);
    expect(all.map((element) => element.problem)).toEqual([undefined, 'text after the end of the JSON']);
  });

  test('goes on after an element of more than a megabyte', async () => {
    const all = await elements(`[{"id":1},{"id":2,"t":"${'x'.repeat(2 << 20)}"},{"id":3}]`);
    expect(all.map((element) => element.problem)).toEqual([
      undefined,
      'an element of more than 1048576 bytes',
      undefined,
    ]);
    expect(all[1]?.text.length).toBeLessThan(2000);
  });
});

describe('the source of a member', () => {
  test('is exact where parsing is not', () => {
    const source =
      '{ "a" : {"id":1, "x\\"}":[1,{}]} , "id" : 12345678901234567890,"n":null, "b":"}" , "a":{ "id" : 2.0 } }';
    expect(memberSource(source, 'id')).toBe('12345678901234567890');
    expect(memberSource(source, 'n')).toBe('null');
    expect(memberSource(source, 'b')).toBe('"}"');
    expect(memberSource(source, 'a')).toBe('{ "id" : 2.0 }');
    expect(memberSource(source, 'x')).toBeUndefined();
    expect(memberSource('{}', 'x')).toBeUndefined();
  });

  test('parses to the member, for every member of any object', () => {
    fc.assert(
      fc.property(object, fc.constantFrom(undefined, 1), (value, indent) => {
        const source = JSON.stringify(value, null, indent);
        for (const [name, member] of Object.entries(value)) {
          expect(JSON.parse(memberSource(source, name) ?? '')).toEqual(JSON.parse(JSON.stringify(member)));
        }
      }),
    );
  });
});

test.each([10_000, 1 << 16])(
  'an array of long answers gives what is in them, in chunks of %d bytes',
  async (size) => {
    const page = (from: number) => ({
      data: Array.from({ length: 300 }, (_, n) => ({ id: String(from + n), text: 'x'.repeat(4000) })),
      includes: { users: [{ id: '7' }] },
      meta: { count: 300 },
    });
    for (const indent of [undefined, 2]) {
      const all = await elements(JSON.stringify([page(1), page(1001)], null, indent), size);
      expect(all.filter(({ problem }) => problem !== undefined)).toEqual([]);
      const ids = all.map(({ text }) => (JSON.parse(text) as { id: string }).id);
      expect(ids).toEqual([
        ...page(1).data.map(({ id }) => id),
        '7',
        ...page(1001).data.map(({ id }) => id),
        '7',
      ]);
    }
  },
);

test('a broken element in an array of answers costs no row of the answers after it', async () => {
  const page = (from: number) => ({
    data: [0, 1, 2].map((n) => ({ id: String(from + n), text: 'x' })),
    includes: { users: [{ id: String(from + 9), username: 'ada' }] },
  });
  const pages = [page(10), page(20), page(30)];
  const broken = JSON.stringify(pages).replace('"id":"19"', '"id":"19');
  const all = await elements(broken);
  const whole = all.filter(({ problem }) => problem === undefined).map(({ text }) => text);
  expect(whole.slice(-2)).toEqual(pages.slice(1).map((one) => JSON.stringify(one)));
  expect(all.length - whole.length).toBe(1);
});
