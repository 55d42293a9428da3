const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const twitter =
  /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d{1,2}) (\d{2}):(\d{2}):(\d{2}) ([+-])(\d{2})(\d{2}) (\d{4})$/;
const iso =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)? ?(?:Z|UTC|([+-])(\d{2}):?(\d{2}))?)?$/;
const dayFirst = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: (\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/** Parses a time of Twitter's API v1.1, `Wed Oct 10 20:19:24 +0000 2018`. Null if `text` is not one. */
export function parseTwitterDate(text: string): Date | null {
  const match = twitter.exec(text);
  if (match === null) return null;
  const [, month, day, hour, minute, second, sign, zoneHour, zoneMinute, year] = match;
  const local = utc(year, months.indexOf(month ?? '') + 1, day, hour, minute, second);
  return shift(local, sign, zoneHour, zoneMinute);
}

/** Parses an ISO 8601 time to the millisecond; UTC if it has no offset. Null if `text` is not one. */
export function parseIsoDate(text: string): Date | null {
  const match = iso.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction, sign, zoneHour, zoneMinute] = match;
  const local = utc(year, month, day, hour, minute, second, (fraction ?? '').padEnd(3, '0').slice(0, 3));
  return shift(local, sign, zoneHour, zoneMinute);
}

/** Parses a UTC time with the day first, `31/12/2017 19:52`, with or without seconds. Null if `text` is not one. */
export function parseDayFirstDate(text: string): Date | null {
  const match = dayFirst.exec(text);
  if (match === null) return null;
  const [, day, month, year, hour, minute, second] = match;
  return utc(year, month, day, hour, minute, second);
}

/** Null if there is no such moment (or it is before 1970): `Date.UTC` alone would turn 31 February into a day in March. */
function utc(...parts: readonly (string | number | undefined)[]): Date | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, millisecond = 0] = parts.map(
    (part) => Number(part ?? 0),
  );
  if (year < 1970 || hour > 23 || minute > 59 || second > 59) return null;
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second, millisecond));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date : null;
}

function shift(local: Date | null, sign = '+', hours = '0', minutes = '0'): Date | null {
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
  return local === null ? null : new Date(local.getTime() - offset);
}
