import type { Area } from '../support/areas';
import { randomIntFrom, type RandomInt } from '../support/random-int';

/** Latitudes and longitudes at which boxes may go wrong: the ends, the borders of cells, and what is close to them. */
const LATITUDES = [-90, -89.75, -67.5, -45, -0.25, 0, 22.5, 45, 67.5, 89.75, 90];
const LONGITUDES = [-180, -179.75, -135, -90, -45, -0.25, 0, 22.5, 45, 90, 135, 179.75, 180];

/** Mostly one of some degrees, else any between them. */
function degreesFrom(random: RandomInt, degrees: readonly number[]): number {
  const last = degrees.at(-1) ?? 0;
  if (random(4) === 0) return (random(8001) - 4000) * (last / 4000);
  return degrees[random(degrees.length)] ?? last;
}

/** Points of which most are at edges. */
export function edgePoints(seed: number, count: number): { latitude: number; longitude: number }[] {
  const random = randomIntFrom(seed);
  return Array.from({ length: count }, () => ({
    latitude: degreesFrom(random, LATITUDES),
    longitude: degreesFrom(random, LONGITUDES),
  }));
}

/** Boxes of which most end or begin at edges: some are points or lines, some cross the antimeridian, some go around the globe. */
export function edgeAreas(seed: number, count: number): Area[] {
  const random = randomIntFrom(seed);
  return Array.from({ length: count }, () => {
    const [one, other] = [degreesFrom(random, LATITUDES), degreesFrom(random, LATITUDES)];
    const west = degreesFrom(random, LONGITUDES);
    const east = random(3) === 0 ? west : degreesFrom(random, LONGITUDES);
    const isLine = random(4) === 0;
    return {
      south: isLine ? one : Math.min(one, other),
      west,
      north: isLine ? one : Math.max(one, other),
      east,
    };
  });
}
