import { monthsAgo, secondsLeft } from '../src/features/timeline/retention';

const HOUR = 3_600_000;

afterEach(() => jest.useRealTimers());

test.each([1, 2, 3, 12])(
  'of %i months, a tweet has no time left once so many months ago is not before it, also at the ends of months',
  (months) => {
    jest.useFakeTimers();
    // Years with and without a leap day, and a retention that goes across both.
    for (const year of [2023, 2024]) {
      const moments = Array.from(
        { length: 366 * 2 },
        (_, n) => Date.UTC(year, 0, 1) + n * 12 * HOUR + HOUR / 2,
      );
      for (const created of moments) {
        const createdAt = new Date(created);
        const about = new Date(created).setUTCMonth(createdAt.getUTCMonth() + months);
        for (let hours = -80; hours <= 80; hours += 4) {
          jest.setSystemTime(about + hours * HOUR);
          const isPast = Number(monthsAgo(months)) >= created;
          const found = secondsLeft(createdAt, months) === null;
          if (found !== isPast)
            throw new Error(
              `${createdAt.toISOString()} at ${new Date().toISOString()}: ${found}, but ${isPast}`,
            );
        }
      }
    }
    expect(secondsLeft(new Date(), months)).toBeGreaterThan(27 * 86_400 * months);
  },
);
