/** A box of latitudes and longitudes in degrees. */
interface Area {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/** Where most tweets come from, the largest city first. */
const cities = [
  [35.68, 139.65],
  [41.01, 28.98],
  [19.43, -99.13],
  [-23.55, -46.63],
  [40.71, -74.01],
  [51.51, -0.13],
  [30.04, 31.24],
  [-6.21, 106.85],
  [48.86, 2.35],
  [52.52, 13.41],
] as const;

/** How far a city extends from its centre in each direction, in degrees. */
const REACH = 0.3;

/** Draws the point where a tweet is posted: four of five in a city, more often in the first cities and near the centre. */
export function drawPlace(random: () => number): { latitude: number; longitude: number } {
  if (random() < 0.2) return degrees(random() * 140 - 60, random() * 360 - 180);
  const [latitude, longitude] = drawCity(random);
  const offset = () => (random() + random() + random() - 1.5) * (REACH / 1.5);
  return degrees(latitude + offset(), longitude + offset());
}

/** Draws the box of a city; the first cities are drawn more often. */
export function drawCityArea(random: () => number): Area {
  const [latitude, longitude] = drawCity(random);
  return {
    south: latitude - REACH,
    west: longitude - REACH,
    north: latitude + REACH,
    east: longitude + REACH,
  };
}

function drawCity(random: () => number) {
  return cities[Math.floor(random() ** 2 * cities.length)] ?? cities[0];
}

function degrees(latitude: number, longitude: number) {
  return { latitude: Number(latitude.toFixed(5)), longitude: Number(longitude.toFixed(5)) };
}
