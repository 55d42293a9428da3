import { createLiveStream } from '../../src/kit/subscriptions/live-stream';
import type { LiveResult } from '../../src/kit/subscriptions/live-services';

const failed = (code: string) => ({ errors: [{ message: 'it failed', extensions: { code } }] });

/** The events of a stream of three, of which the second one is this, and how the stream ended. */
async function eventsWith(second: LiveResult) {
  let how = '';
  const stream = createLiveStream({
    async beginEvents() {
      return Promise.resolve([{ n: 1 }, { n: 2 }, { n: 3 }].values() as unknown as AsyncIterator<object>);
    },
    resultOf: (event) =>
      Promise.resolve((event as { n: number }).n === 2 ? second : { data: { field: event } }),
    errorOf: () => failed('INTERNAL_SERVER_ERROR'),
    closed: (reason) => (how = reason),
  });
  const events: LiveResult[] = [];
  for await (const event of stream) events.push(event);
  return { count: events.length, how };
}

test.each([
  ['of a read that the database did not answer', failed('UNAVAILABLE')],
  ['of an event that is too large', failed('QUERY_TOO_LARGE')],
  ['of a field that may be null', { data: { field: null }, ...failed('UNAVAILABLE') }],
])('the error %s is the last event, because the event can be shown later', async (_, second) => {
  const { code } = second.errors[0]?.extensions ?? {};
  expect(await eventsWith(second)).toEqual({ count: 2, how: code });
});

test.each([
  ['by a fault of the server, which would come again', failed('INTERNAL_SERVER_ERROR')],
  ['in a part of it', { data: { field: { part: null } }, ...failed('UNAVAILABLE') }],
  ['nowhere, and is null', { data: { field: null } }],
])('an event that fails %s is passed', async (_, second) => {
  expect(await eventsWith(second)).toEqual({ count: 3, how: 'completed' });
});
