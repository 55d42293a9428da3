/** The minute of a moment: minutes since 1970, UTC. */
export function minuteOf(moment: Date): number {
  return Math.floor(Number(moment) / 60_000);
}
