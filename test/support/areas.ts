/** A box in degrees. If `west` is greater than `east`, it crosses the antimeridian. */
export interface Area {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/** Whether a box has a point. Its edges belong to it, and the longitudes 180 and -180 are one. */
export function hasPoint({ south, west, north, east }: Area, latitude: number, longitude: number): boolean {
  if (latitude < south || latitude > north) return false;
  const isBetween = (degrees: number) =>
    west <= east ? degrees >= west && degrees <= east : degrees >= west || degrees <= east;
  const isOnAntimeridian = Math.abs(longitude) === 180;
  return isBetween(longitude) || (isOnAntimeridian && isBetween(-longitude));
}
