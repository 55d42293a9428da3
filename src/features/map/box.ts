import { badArgument } from '../../kit/base/errors';
import type { AreaInput } from './map.type';

/** A box of latitudes and longitudes, in degrees. It does not cross the antimeridian; its edges belong to it. */
export interface Box {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/**
 * The boxes of an area: two if it crosses the antimeridian, or if it ends there, where its points have two longitudes. Throws `BAD_USER_INPUT` if
 * it is not an area.
 */
export function splitIntoBoxes({ south, west, north, east }: AreaInput): readonly Box[] {
  for (const [name, value, max] of [
    ['south', south, 90],
    ['north', north, 90],
    ['west', west, 180],
    ['east', east, 180],
  ] as const)
    if (!(Math.abs(value) <= max))
      throw badArgument(`area.${name}`, `must be -${max} to ${max}, but got: ${value}`);
  if (south > north)
    throw badArgument('area.south', `must not be above north, but got: ${south} and ${north}`);
  if (west <= east) return withOtherSides([{ south, west, north, east }]);
  return withOtherSides([
    { south, west, north, east: 180 },
    { south, west: -180, north, east },
  ]);
}

/** Adds the other side of the antimeridian to boxes that end there, since 180 and -180 are one longitude. */
function withOtherSides(boxes: readonly Box[]): readonly Box[] {
  const sides = boxes.flatMap((box) =>
    [180, -180].flatMap((side) =>
      box.east === side || box.west === side ? { ...box, west: -side, east: -side } : [],
    ),
  );
  return [...boxes, ...sides.filter((side) => !boxes.some((box) => hasWhole(box, side)))];
}

function hasWhole(box: Box, { south, west, north, east }: Box): boolean {
  return box.south <= south && box.west <= west && box.north >= north && box.east >= east;
}

/** The sides of a box: south, west, north, east. */
export function listSides({ south, west, north, east }: Box): number[] {
  return [south, west, north, east];
}

/** Whether a point is in one of the boxes. */
export function isWithin(boxes: readonly Box[], latitude: number, longitude: number): boolean {
  return boxes.some(
    ({ south, west, north, east }) =>
      latitude >= south && latitude <= north && longitude >= west && longitude <= east,
  );
}
