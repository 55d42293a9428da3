import fc from 'fast-check';
import { elapsedSince, takeMoment } from '../../src/kit/base/elapsed';

const start = { monotonic: 5000, wall: 1_000_000 };
const after = (monotonic: number, wall: number) =>
  elapsedSince(start, { monotonic: start.monotonic + monotonic, wall: start.wall + wall });

test.each([
  ['both clocks moved alike', 400, 400, 400],
  ['the machine was suspended, so one clock stood still', 400, 20_400, 20_400],
  ['the clock of the day was set back', 400, -60_000, 400],
  ['the clock of the day was set forward', 400, 60_400, 60_400],
])('time passes as fast as on the faster clock: %s', (_, monotonic, wall, elapsed) => {
  expect(after(monotonic, wall)).toBe(elapsed);
});

test('no lease seems to last longer than on either clock, however often a machine is suspended', () => {
  const steps = fc.array(fc.record({ runs: fc.nat(5000), stands: fc.nat(5000) }), { minLength: 1 });
  fc.assert(
    fc.property(steps, (taken) => {
      const ran = taken.reduce((sum, { runs }) => sum + runs, 0);
      const stood = taken.reduce((sum, { stands }) => sum + stands, 0);
      expect(after(ran, ran + stood)).toBe(ran + stood);
    }),
  );
});

test('this moment is now', () => {
  const moment = takeMoment();
  expect(Math.abs(moment.wall - Date.now())).toBeLessThan(1000);
  expect(elapsedSince(moment)).toBeGreaterThanOrEqual(0);
});
