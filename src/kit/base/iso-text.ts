const DAY_MS = 86_400_000;

/** How many days are remembered: 27 years, because a page has tweets of any age. They take about a megabyte. */
const MAX_DAYS = 10_000;

/** The texts of days, by their number since 1970: `2026-10-31T`. */
const days = new Map<number, string>();

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const threeDigits = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'));

/** The same as `toISOString`, in a third of its time. Throws a `RangeError` for an invalid date. */
export function isoText(moment: Date): string {
  const time = moment.getTime();
  const day = Math.floor(time / DAY_MS);
  const milliseconds = time - day * DAY_MS;
  const seconds = Math.floor(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const fraction = threeDigits[milliseconds - seconds * 1000] ?? '';
  return `${days.get(day) ?? textOf(day, moment)}${twoDigits[hours] ?? ''}:${twoDigits[minutes - hours * 60] ?? ''}:${twoDigits[seconds - minutes * 60] ?? ''}.${fraction}Z`;
}

function textOf(day: number, moment: Date): string {
  const text = moment.toISOString().split('T', 1)[0] ?? '';
  if (days.size === MAX_DAYS) days.clear();
  days.set(day, `${text}T`);
  return `${text}T`;
}
