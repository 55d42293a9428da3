const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** The zones that RFC 2822 names, in hours from UTC. Other names, such as CET, mean several things. */
const zoneNames: Readonly<Record<string, number>> = {
  ...{ Z: 0, UTC: 0, UT: 0, GMT: 0, EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 },
};

const month = String.raw`(?<month>[A-Z][a-z]{2})`;
const weekday = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const clock = String.raw`(?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d+))?)?`;
const compactClock = String.raw`(?<hour>\d{2})(?:(?<minute>\d{2})(?:(?<second>\d{2})(?:[.,](?<fraction>\d+))?)?)?`;
const offset = String.raw`(?<sign>[-+\u2212])(?<zoneHour>\d{2})(?::?(?<zoneMinute>\d{2})(?::?(?<zoneSecond>\d{2}))?)?`;
/** The offset of an ISO 8601 time may be left out: it is then UTC. */
const isoZone = `(?: ?(?:(?<zone>Z|z|UTC|GMT)|${offset}))?`;

/** Each form of a time, anchored at both ends by `compilePattern`. A name of a group says what the digits are. */
const forms = [
  // ISO 8601, and PostgreSQL's output, which has a space for the T and an offset of two digits.
  String.raw`(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:(?:[Tt]| +)(?:${clock}|(?<hourAlone>\d{2}))${isoZone})?`,
  // ISO 8601 without separators. A day alone would be eight digits, which may as well be seconds.
  String.raw`(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})[Tt]${compactClock}${isoZone}`,
  // Twitter's API v1.1: Wed Oct 10 20:19:24 +0000 2018.
  String.raw`${weekday} ${month} +(?<day>\d{1,2}) ${clock} (?:(?<zone>UTC|GMT)|${offset}) (?<year>\d{4})`,
  // RFC 2822: Wed, 10 Oct 2018 20:19:24 +0000 (UTC).
  String.raw`(?:${weekday}, *)?(?<day>\d{1,2}) ${month} (?<year>\d{4}) ${clock} (?:(?<zone>[A-Z]{1,3})|${offset})(?: *\([^()]*\))?`,
].map(compilePattern);

/** Seconds since 1970 from 1973 to 2286, and milliseconds of the same years. Numbers between the two could be either. */
const MIN_SECONDS = 1e8;
const MAX_SECONDS = 1e10;
const number = /^\d+(?:\.\d*)?$/;

const dayFirst = compilePattern(
  String.raw`(?<day>\d{1,2})/(?<month>\d{1,2})/(?<year>\d{4})(?: +(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2}))?)?`,
);

/**
 * Parses a time to the millisecond: ISO 8601 (in calendar dates; UTC if it has no offset), what PostgreSQL prints, RFC 2822,
 * Twitter's, and seconds or milliseconds since 1970. Null if `text` is none of them, or is before 1970.
 */
export function parseTime(text: string): Date | null {
  if (number.test(text)) return parseNumber(text);
  for (const form of forms) {
    const match = form.exec(text);
    if (match?.groups !== undefined) return readMoment(match.groups);
  }
  return null;
}

/** Parses a UTC time with the day first, `31/12/2017 19:52`, with or without seconds. Null if `text` is not one. */
export function parseDayFirstTime(text: string): Date | null {
  const match = dayFirst.exec(text);
  return match?.groups === undefined ? null : readMoment(match.groups);
}

function parseNumber(text: string): Date | null {
  const [whole = '', fraction = ''] = text.split('.');
  const value = Number(whole);
  // The digits are moved: a multiplication would make 1556704800.253 a millisecond less.
  if (value >= MIN_SECONDS && value < MAX_SECONDS)
    return new Date(value * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3)));
  const isMilliseconds = value >= MIN_SECONDS * 1000 && value < MAX_SECONDS * 1000;
  return isMilliseconds ? new Date(value) : null;
}

function compilePattern(source: string): RegExp {
  return new RegExp(`^${source}$`, 'u');
}

/** Null if there is no such moment: `Date.UTC` alone would turn 31 February into a day in March. */
function readMoment(groups: Readonly<Record<string, string | undefined>>): Date | null {
  const numberAt = (name: string): number => Number(groups[name] ?? 0);
  const named = monthNames.indexOf(groups['month'] ?? '');
  const [year, monthIndex, day] = [
    numberAt('year'),
    named >= 0 ? named : numberAt('month') - 1,
    numberAt('day'),
  ];
  const hour = Number(groups['hour'] ?? groups['hourAlone'] ?? 0);
  const [minute, second] = [numberAt('minute'), numberAt('second')];
  if (year < 1970 || hour > 23 || minute > 59 || second > 59) return null;
  const millisecond = Number((groups['fraction'] ?? '').padEnd(3, '0').slice(0, 3));
  const local = new Date(Date.UTC(year, monthIndex, day, hour, minute, second, millisecond));
  const east = readSecondsEast(groups);
  if (local.getUTCMonth() !== monthIndex || local.getUTCDate() !== day || east === null) return null;
  const moment = local.getTime() - east * 1000;
  return moment < 0 ? null : new Date(moment);
}

/** How many seconds a time is ahead of UTC; null if there is no such zone. */
function readSecondsEast(groups: Readonly<Record<string, string | undefined>>): number | null {
  const { zone, sign, zoneHour, zoneMinute, zoneSecond } = groups;
  if (zone !== undefined) {
    const hours = zoneNames[zone.toUpperCase()];
    return hours === undefined ? null : hours * 3600;
  }
  const [hours, minutes, seconds] = [Number(zoneHour ?? 0), Number(zoneMinute ?? 0), Number(zoneSecond ?? 0)];
  // PostgreSQL has the same limit.
  if (hours > 15 || minutes > 59 || seconds > 59) return null;
  return (hours * 3600 + minutes * 60 + seconds) * (sign === '+' || sign === undefined ? 1 : -1);
}
