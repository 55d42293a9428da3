import * as fc from 'fast-check';
import { DateTime, FixedOffsetZone } from 'luxon';
import { parseDayFirstTime, parseTime } from '../../src/import/records/time';

/** What PostgreSQL 15 printed of moments in several time zones, with fractions and with offsets that have minutes and seconds. */
const printed = `
2019-05-01 10:00:00.25+00 | 2019-05-01T10:00:00.250Z
2019-05-01 12:00:00.25+02 | 2019-05-01T10:00:00.250Z
2019-05-01 15:45:00.25+05:45 | 2019-05-01T10:00:00.250Z
2019-05-01 07:30:00.25-02:30 | 2019-05-01T10:00:00.250Z
2019-05-02 00:00:00.25+14 | 2019-05-01T10:00:00.250Z
1971-12-31 20:00:00.123456-03:30 | 1971-12-31T23:30:00.123Z
1971-12-31 12:30:00.123456-11 | 1971-12-31T23:30:00.123Z
1971-12-31 22:45:30.123456-00:44:30 | 1971-12-31T23:30:00.123Z
2023-01-01 05:44:59.999999+05:45 | 2022-12-31T23:59:59.999Z
2022-12-31 18:59:59.999999-05 | 2022-12-31T23:59:59.999Z
2020-03-01 02:00:00+14 | 2020-02-29T12:00:00.000Z
2011-07-06 20:07:07.7-11 | 2011-07-07T07:07:07.700Z`
  .trim()
  .split('\n')
  .map((line) => line.split(' | ') as [string, string]);

const moments = fc.date({ min: new Date('1973-03-04'), max: new Date('2199-12-31'), noInvalidDate: true });
/** Minutes from UTC. */
const offsets = fc.integer({ min: -15 * 60, max: 15 * 60 });
const anyTime = fc.tuple(moments, offsets).map(([date, offset]) => ({
  date,
  local: DateTime.fromJSDate(date, { zone: FixedOffsetZone.instance(offset) }),
}));

/** The forms of a moment that another library writes. */
const forms: Readonly<Record<string, (time: DateTime) => string | null>> = {
  'ISO 8601': (time) => time.toISO(),
  'ISO 8601 without separators': (time) => time.toISO({ format: 'basic' }),
  'ISO 8601 with a space and an offset without a colon': (time) =>
    time.toFormat('yyyy-MM-dd HH:mm:ss.SSSZZZ'),
  'ISO 8601 with a comma': (time) => time.toFormat('yyyy-MM-dd HH:mm:ss,SSSZZ'),
  'ISO 8601 in UTC': (time) => time.toUTC().toISO(),
  'ISO 8601 in UTC by its name': (time) => time.toUTC().toFormat("yyyy-MM-dd HH:mm:ss.SSS 'UTC'"),
  'ISO 8601 without an offset': (time) => time.toUTC().toISO({ includeOffset: false }),
  'nanoseconds of ISO 8601': (time) => time.toFormat("yyyy-MM-dd'T'HH:mm:ss.SSS'999999'ZZ"),
  SQL: (time) => time.toSQL(),
  seconds: (time) => time.toFormat('X.SSS'),
  milliseconds: (time) => time.toFormat('x'),
};
/** Those that have no milliseconds. */
const wholeForms: Readonly<Record<string, (time: DateTime) => string | null>> = {
  'RFC 2822': (time) => time.toRFC2822(),
  'RFC 2822 without the day of the week': (time) => time.setLocale('en').toFormat('d LLL yyyy HH:mm:ss ZZZ'),
  'RFC 2822 with a comment': (time) => `${time.toRFC2822() ?? ''} (CET)`,
  HTTP: (time) => time.toHTTP(),
  "Twitter's": (time) => time.setLocale('en').toFormat('EEE LLL dd HH:mm:ss ZZZ yyyy'),
  seconds: (time) => time.toFormat('X'),
};

describe('a time', () => {
  test.each(Object.entries(forms))('is read to the millisecond: %s', (_, write) => {
    fc.assert(
      fc.property(anyTime, ({ date, local }) => {
        expect(parseTime(write(local) ?? '')).toEqual(date);
      }),
    );
  });

  test.each(Object.entries(wholeForms))('is read to the second: %s', (_, write) => {
    fc.assert(
      fc.property(anyTime, ({ date, local }) => {
        expect(parseTime(write(local) ?? '')).toEqual(new Date(Math.floor(Number(date) / 1000) * 1000));
      }),
    );
  });

  test.each(printed)('is read as PostgreSQL prints it: %s', (text, expected) => {
    expect(parseTime(text)?.toISOString()).toBe(expected);
  });

  test.each([
    ['2022-12-18', '2022-12-18T00:00:00.000Z'],
    ['2022-12-18T10Z', '2022-12-18T10:00:00.000Z'],
    ['2022-12-18t10:30z', '2022-12-18T10:30:00.000Z'],
    ['2022-12-18 10:30:00 -0330', '2022-12-18T14:00:00.000Z'],
    ['2022-12-18 10:30:00 GMT', '2022-12-18T10:30:00.000Z'],
    ['2022-12-18T10:30:00\u221203', '2022-12-18T13:30:00.000Z'],
    ['2022-12-18T10:30:00-00:00', '2022-12-18T10:30:00.000Z'],
    ['20221218T1030+01', '2022-12-18T09:30:00.000Z'],
    ['Wed, 10 Oct 2018 20:19:24 EDT', '2018-10-11T00:19:24.000Z'],
    ['1 Oct 2018 20:19 +0000', '2018-10-01T20:19:00.000Z'],
    ['Wed Oct 10 20:19:24 UTC 2018', '2018-10-10T20:19:24.000Z'],
    ['1556704800.2509', '2019-05-01T10:00:00.250Z'],
    ['1556704800.', '2019-05-01T10:00:00.000Z'],
    ['1556704800250.7', '2019-05-01T10:00:00.250Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
  ])('is read in rarer forms: %s', (text, expected) => {
    expect(parseTime(text)?.toISOString()).toBe(expected);
  });

  test.each([
    ...['2022-02-29', '2022-12-18T24:00:00Z', '2016-12-31T23:59:60Z', '0000-00-00', '1969-12-31T23:59:59Z'],
    ...['1970-01-01T00:00:00+01:00', '2022-12-18T10:00:00+16:00', '2022-12-18T10:00:00+01:60', '2022-12'],
    ...['2022-W50-7', '2022-352', '2022W507', '22-12-18', '2022-12-18 10:00 PM', '2022-12-18T10:00Z[UTC]'],
    ...['2022-12-18 10:00:00 CET', '2022-12-18 10:00:00 Europe/Berlin', '2022-12-18T10:30.5Z', '2022-12-18Z'],
    ...['Wed Foo 10 20:19:24 +0000 2018', 'Wed Oct 32 20:19:24 +0000 2018', 'Wed Oct 10 20:19:24 2018'],
    ...['Wed, 10 Oct 18 20:19:24 +0000', 'Wed, 10 Oct 2018 20:19:24 CET', 'Mi, 10 Okt 2018 20:19:24 +0000'],
    ...['31/12/2017 19:52', '12/31/2017', '20190501', '20190501100000', '1556704800250000', '43586.41', '-1'],
    ...['1.5567E+09', '0', 'now', 'yesterday', 'infinity', '٢٠٢٢-١٢-١٨', '2022-12-18T10:00:00Z '],
  ])('is refused: %s', (text) => {
    expect(parseTime(text)).toBeNull();
  });

  test('is read in no other way from any text', () => {
    const piece = fc.constantFrom(
      '2',
      '01',
      '-',
      ':',
      'T',
      ' ',
      '.',
      '+',
      'Z',
      'Oct',
      'Wed',
      ',',
      '2018',
      'E',
      '/',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const time = parseTime(pieces.join(''));
        expect(time === null || Number(time) >= 0).toBe(true);
      }),
    );
  });

  test.each([
    ['12/01/2017 19:52', '2017-01-12T19:52:00.000Z'],
    ['1/2/2017 9:05:07', '2017-02-01T09:05:07.000Z'],
    ['29/02/2016', '2016-02-29T00:00:00.000Z'],
    ['29/02/2017 10:00', undefined],
    ['01/13/2017 10:00', undefined],
    ['yesterday', undefined],
  ])('of a spreadsheet has the day first: %s', (text, expected) => {
    expect(parseDayFirstTime(text)?.toISOString()).toBe(expected);
  });
});
