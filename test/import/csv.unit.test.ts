import * as fc from 'fast-check';
import { csvFormat } from '../../src/import/records/csv';
import { readAll, recordsIn, rejectsIn } from './read';

const columns = { required: ['a', 'b'], optional: [] };
/** Makes each row a profile whose description is the two fields. */
const rows = csvFormat({ name: 'rows', summary: '', columns }, () => (row) => [
  {
    kind: 'user',
    username: '-',
    name: '-',
    onTwitter: false,
    description: JSON.stringify([row.get('a'), row.get('b')]),
  },
]);

async function cells(csv: string | Uint8Array, chunkSize?: number): Promise<unknown[]> {
  return recordsIn(await readAll(rows, csv, chunkSize)).map((record): unknown =>
    record.kind === 'user' ? JSON.parse(record.description ?? '') : record,
  );
}

describe('CSV', () => {
  test('has fields with commas, quotes and line breaks', async () => {
    expect(await cells('a,b\n"1,2","say ""hi"""\n"two\nlines",\n')).toEqual([
      ['1,2', 'say "hi"'],
      ['two\nlines', ''],
    ]);
  });

  test('may begin with a byte order mark, end its lines with CR LF and hold empty lines', async () => {
    expect(await cells('\uFEFFa,b\r\n\r\n1,2\r\n"3\r\n4",5\r\n\r\n')).toEqual([
      ['1', '2'],
      ['3\r\n4', '5'],
    ]);
  });

  test('names the line where a row begins, after rows of several lines', async () => {
    const parsed = await readAll(rows, 'a,b\n"x\ny",1\n1,2,3\n4,5\n');
    expect(parsed.map((row) => row.line)).toEqual([2, 4, 5]);
    expect(rejectsIn(parsed)).toEqual([
      { line: 4, rejected: '2 columns expected, but got: 3', source: '1,2,3' },
    ]);
  });

  test('loses no other row to a quote that nothing closes', async () => {
    const csv = 'a,b\n1,"open\n2,fine\n3,"also fine"\n4,fine\n';
    expect(await cells(csv)).toEqual([
      ['2', 'fine'],
      ['3', 'also fine'],
      ['4', 'fine'],
    ]);
    expect(rejectsIn(await readAll(rows, csv)).map((row) => row.line)).toEqual([2]);
  });

  test('loses no other row to an open quote without another one up to the end of the file', async () => {
    const csv = `a,b\n1,"open\n${'2,fine\n'.repeat(1000)}`;
    expect(await cells(csv)).toHaveLength(1000);
    expect(rejectsIn(await readAll(rows, csv))).toEqual([
      { line: 2, rejected: 'malformed CSV: an unclosed quote', source: '1,"open' },
    ]);
  });

  test('gives an open quote up after a megabyte', async () => {
    const csv = `a,b\n1,"open\n${'2,fine and long enough\n'.repeat(60_000)}`;
    const parsed = await readAll(rows, csv);
    expect(recordsIn(parsed)).toHaveLength(60_000);
    expect(rejectsIn(parsed)).toHaveLength(1);
  });

  test('gives an open quote up after a million empty lines, and at the end of the file', async () => {
    for (const count of [300_000, 1_200_000]) {
      const parsed = await readAll(rows, `a,b\n1,"open\n${'\n'.repeat(count)}2,fine\n`);
      expect(rejectsIn(parsed).map(({ line }) => line)).toEqual([2]);
      expect(recordsIn(parsed)).toHaveLength(1);
    }
  });

  test.each([
    ['1,"x"y\n', 'malformed CSV: a quote inside a quoted field, at: "y'],
    ['1,x"y"\n', 'malformed CSV: a quote inside a field without quotes: x"y"'],
  ])('rejects %j', async (line, reason) => {
    const parsed = await readAll(rows, `a,b\n${line}3,4\n`);
    expect(rejectsIn(parsed).map((row) => row.rejected)).toEqual([reason]);
    expect(recordsIn(parsed)).toHaveLength(1);
  });

  test('rejects a row that is not UTF-8, and only that', async () => {
    const csv = Buffer.concat([
      Buffer.from('a,b\n1,2\n'),
      Buffer.from([0x33, 0x2c, 0xff, 0x0a]),
      Buffer.from('5,6'),
    ]);
    expect(await cells(csv)).toEqual([
      ['1', '2'],
      ['5', '6'],
    ]);
    expect(rejectsIn(await readAll(rows, csv))).toEqual([
      { line: 3, rejected: 'not valid UTF-8', source: '3,\uFFFD' },
    ]);
  });

  test('gives back any cells that were quoted into it, however it is cut into chunks', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'a') }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell), { maxLength: 8 }),
        fc.integer({ min: 1, max: 50 }),
        async (table, chunkSize) => {
          const quoted = table.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(','));
          expect(await cells(['a,b', ...quoted].join('\n'), chunkSize)).toEqual(table);
        },
      ),
    );
  });

  test('has the same rows whatever ends its lines and parts its fields, however it is cut into chunks', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '\r', '\n', '"', 'é', '0', 'x') });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(text, text), { maxLength: 6 }),
        fc.array(fc.constantFrom('\n', '\r\n', '\r', '\r\r\n'), { minLength: 7, maxLength: 7 }),
        fc.constantFrom(',', ';', '\t', '|'),
        fc.constantFrom('', '\uFEFF', 'sep\n'),
        fc.integer({ min: 1, max: 20 }),
        async (table, ends, delimiter, start, chunkSize) => {
          const quoted = table.map((row) =>
            row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter),
          );
          const lines = [`a${delimiter}b`, ...quoted].map((line, index) => line + (ends[index] ?? ''));
          const csv = `${start.replace('sep', `sep=${delimiter}`)}${lines.join('')}`;
          expect(await cells(csv, chunkSize)).toEqual(table);
        },
      ),
    );
  });

  test('keeps the lines of rows apart by the line ends of its own, also where they are mixed', async () => {
    const parsed = await readAll(rows, 'a,b\r1,2\r\n"x\ry",4\n5,6\r7');
    expect(parsed.map((row) => row.line)).toEqual([2, 3, 5, 6]);
    expect(rejectsIn(parsed)).toEqual([{ line: 6, rejected: '2 columns expected, but got: 1', source: '7' }]);
  });

  test.each([
    [
      Buffer.from('a,b\xe9\n1,2\n', 'latin1'),
      'the header, which is the first line, cannot be read: not valid UTF-8',
    ],
    ['"a,b\n1,2\n', 'the header, which is the first line, cannot be read: malformed CSV: an unclosed quote'],
    [
      'a,"b\n1,"2"\n',
      'the header, which is the first line, cannot be read: malformed CSV: an unclosed quote',
    ],
    ['a,c\n1,2\n', 'the columns must include b, but the header is: a,c'],
    ['a,b,B \n1,2,3\n', 'a column must have a name of its own, but two have the name b'],
    ['\n\r\n', 'the file has no header, only empty lines'],
  ])('with a header that cannot be read is refused: %j', async (csv, message) => {
    await expect(readAll(rows, csv)).rejects.toMatchObject({ code: 'FILE_REFUSED', message });
  });

  test('keeps all of its columns in the raw record, also those that share a name', async () => {
    const raws = csvFormat({ name: 'raws', summary: '', columns }, () => (row) => [
      { kind: 'user', username: '-', name: row.raw(), onTwitter: false },
    ]);
    const [record] = recordsIn(await readAll(raws, ' A ,b,x,x\n1,2,3,4\n'));
    expect(record).toMatchObject({ name: '{" A ":"1","b":"2","x":"3","x (2)":"4"}' });
  });

  test('numbers any number of columns that share a name, and leaves out the numbers that others have', async () => {
    const raws = csvFormat({ name: 'raws', summary: '', columns }, () => (row) => [
      { kind: 'user', username: '-', name: '-', description: row.raw().slice(-40), onTwitter: false },
    ]);
    const names = ['x (3)', ...Array.from({ length: 100_000 }, () => 'x')];
    const csv = `a,b,${names.join(',')}\n1,2,${names.map(() => '4').join(',')}\n`;
    const [record] = recordsIn(await readAll(raws, csv));
    expect(record).toMatchObject({ description: expect.stringMatching(/"x \(100001\)":"4"}$/) as string });
  });
});
