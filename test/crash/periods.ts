/** A period in ISO 8601, without its end. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** The shortest period that has all `times`, in milliseconds since 1970; null if there are none. */
export function periodOf(times: readonly number[]): Period | null {
  if (times.length === 0) return null;
  const from = new Date(Math.min(...times)).toISOString();
  return { from, to: new Date(Math.max(...times) + 1).toISOString() };
}

/** The shortest period that has all `times`, and a period of the middle half of them. */
export function periodsOf(times: readonly number[]): Period[] {
  const period = periodOf(times);
  if (period === null) return [];
  const sorted = [...times].sort((a, b) => a - b);
  const from = new Date(sorted[Math.floor(sorted.length / 4)] ?? 0).toISOString();
  const to = new Date(sorted[Math.floor((sorted.length * 3) / 4)] ?? 0).toISOString();
  return [period, { from, to }];
}
