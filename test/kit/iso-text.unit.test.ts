import fc from 'fast-check';
import { isoText } from '../../src/kit/input/date-time';

test('a moment has the text that toISOString gives it', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (moment) => {
      expect(isoText(moment)).toBe(moment.toISOString());
    }),
    { numRuns: 5000 },
  );
  for (const time of [0, -1, 1, -86_400_000, -86_400_001, 8.64e15, -8.64e15])
    expect(isoText(new Date(time))).toBe(new Date(time).toISOString());
  expect(() => isoText(new Date(NaN))).toThrow(RangeError);
});
