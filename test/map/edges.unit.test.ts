import 'reflect-metadata';
import { isWithin, listSides, splitIntoBoxes } from '../../src/features/map/box';
import { cellAt, coverBoxes, findCover, GRIDS, MAX_CELLS } from '../../src/features/map/cells';
import { AreaInput } from '../../src/features/map/map.type';
import { hasPoint, type Area } from '../support/areas';
import { edgeAreas, edgePoints } from './edges';

const COARSEST = GRIDS.at(-1) ?? { bits: 6, time: 'day' };

/** What is wrong with what is read of an area for a point, if anything. */
function faultOf(area: Area, latitude: number, longitude: number): string | null {
  const boxes = splitIntoBoxes(Object.assign(new AreaInput(), area));
  const { grid, cells } = findCover(boxes);
  const isThere = hasPoint(area, latitude, longitude);
  if (isWithin(boxes, latitude, longitude) !== isThere) return isThere ? 'missed' : 'not there';
  if (!isThere) return null;
  if (!cells.includes(cellAt(grid, latitude, longitude))) return 'in no cell that is read';
  // Subscriptions hear of the cells of the coarsest grid.
  return coverBoxes(COARSEST, boxes).includes(cellAt(COARSEST, latitude, longitude)) ? null : 'not heard of';
}

test('boxes at the antimeridian, at the poles and without a width have the points that are within their edges', () => {
  const points = edgePoints(41, 120);
  const faults = edgeAreas(42, 600).flatMap((area) =>
    points.flatMap(({ latitude, longitude }) => {
      const fault = faultOf(area, latitude, longitude);
      return fault === null ? [] : [{ fault, area, latitude, longitude }];
    }),
  );
  expect(faults.slice(0, 3)).toEqual([]);
});

test('no box is there twice, so that bounds and precisions count it once', () => {
  for (const area of edgeAreas(42, 600)) {
    const boxes = splitIntoBoxes(Object.assign(new AreaInput(), area));
    const listed = boxes.map((box) => listSides(box).join(' '));
    expect([area, new Set(listed).size]).toEqual([area, listed.length]);
  }
});

test('the cells that are read of a box stay bounded', () => {
  for (const area of edgeAreas(43, 600)) {
    const { cells } = findCover(splitIntoBoxes(Object.assign(new AreaInput(), area)));
    expect([area, cells.length > 0 && cells.length <= MAX_CELLS]).toEqual([area, true]);
  }
});
