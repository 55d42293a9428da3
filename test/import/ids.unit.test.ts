import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { deriveId } from '../../src/import/records/derive';
import { snowflakeAt, snowflakeTime } from '../../src/kit/base/snowflake';
import { parseAccountId, parseId } from '../../src/import/records/id';
import { optionalUsername } from '../../src/import/records/row';

describe('ids', () => {
  test('are decimal and from 1 to 2^63-1', () => {
    expect(['1', '0042', '9223372036854775807'].map(parseId)).toEqual(['1', '42', '9223372036854775807']);
    const wrong = ['', '0', '-1', '1.0', '1e3', '٣', ' 1', '9223372036854775808', '10000000000000000000'];
    expect(wrong.map(parseId)).toEqual(wrong.map(() => null));
  });

  test('of accounts may be 0', () => {
    expect(['0', '000', '007'].map(parseAccountId)).toEqual(['0', '0', '7']);
    const wrong = ['', '-1', '0.0', '9223372036854775808'];
    expect(wrong.map(parseAccountId)).toEqual(wrong.map(() => null));
  });

  test('that are derived are ids, the same each time and different for different parts', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (kind, parts) => {
        const id = deriveId(kind, ...parts);
        expect(parseId(id)).toBe(id);
        expect(deriveId(kind, ...parts)).toBe(id);
        expect(deriveId(kind, ...parts, '')).not.toBe(id);
      }),
    );
    expect(deriveId('user', 'ab', 'c')).not.toBe(deriveId('user', 'a', 'bc'));
    expect(deriveId('user', 'ada')).toBe('8796407242949558393');
  });

  test('hold the time that they were made for', () => {
    const times = fc.date({ min: new Date('2010-11-05'), max: new Date(), noInvalidDate: true });
    fc.assert(
      fc.property(times, fc.bigInt({ min: 0n, max: (1n << 30n) - 1n }), (date, low) => {
        const id = snowflakeAt(date, low) ?? '';
        expect(snowflakeTime(id)).toEqual(date);
        expect(BigInt(id) & 0x3fffffn).toBe(low & 0x3fffffn);
      }),
    );
    expect(snowflakeTime('1050118621198921728')).toEqual(new Date('2018-10-10T20:19:24.211Z'));
  });

  test('hold no time before snowflakes began and none in the future', () => {
    expect(snowflakeTime('20')).toBeNull();
    expect(snowflakeTime('29700859247')).toBeNull();
    expect(snowflakeTime('9223372036854775807')).toBeNull();
    expect(snowflakeAt(new Date('2009-01-01'), 0n)).toBeNull();
  });
});

test('an id or a username that is remembered does not keep the file around it in memory', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const kept: unknown[] = [];
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 500; n++) {
    const block = `${String(n).padStart(20)} 1234567890123456${100 + n} somebody_with_a_long_name${n} ${'x'.repeat(32_768)}`;
    const [, id = '', name] = block.trim().split(/ +/);
    kept.push(parseId(id), optionalUsername(name));
  }
  collect();
  // The blocks themselves are 16 MB.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(2_000_000);
  expect(kept).toContain('1234567890123456599');
  expect(kept).toContain('somebody_with_a_long_name499');
});
