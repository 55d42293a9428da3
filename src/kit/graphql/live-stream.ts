import { asError, type ClientError } from '../base/errors';
import type { LiveResult } from './subscriptions';

/** The events of a subscription. `return` ends it at once, whatever it waits for. */
export interface LiveStream extends AsyncGenerator<LiveResult, undefined, undefined> {
  /** Ends it with an error as its last event. */
  end(this: void, reason: ClientError): void;
  /** Whether it has given its last event, or was left. */
  isClosed(this: void): boolean;
}

/** What a stream is made of. */
interface StreamParts {
  /** Gives the events, until the signal is aborted. */
  events(this: void, ended: AbortSignal): AsyncGenerator<LiveResult, void, undefined>;
  /** The event that shows an error. */
  errorOf(this: void, error: Error): LiveResult;
  /** Is called once when the stream has ended, with the reason: a code of the catalogue, `completed` or `left` by its client. */
  closed(this: void, how: string): void;
}

/** Creates the stream of a subscription: an error is its last event. */
export function createLiveStream({ events, errorOf, closed }: StreamParts): LiveStream {
  const ending = new AbortController();
  let reason: Error | null = null;
  let isClosed = false;
  let how = 'left';
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    closed(how);
  };
  const leave = async () => {
    ending.abort();
    close();
    await results.return(undefined);
    return { done: true as const, value: undefined };
  };
  async function* run(): AsyncGenerator<LiveResult, undefined, undefined> {
    try {
      for await (const result of events(ending.signal)) {
        if (ending.signal.aborted) break;
        yield result;
      }
      if (!ending.signal.aborted) how = 'completed';
    } catch (error) {
      reason ??= asError(error);
    }
    if (reason === null || isClosed) return undefined;
    const result = errorOf(reason);
    how = String(result.errors?.[0]?.extensions?.['code']);
    yield result;
    return undefined;
  }
  const results = run();
  const stream: LiveStream = {
    async next() {
      const result = await results.next();
      if (result.done) close();
      return result;
    },
    return: leave,
    throw: leave,
    end(why) {
      if (ending.signal.aborted) return;
      reason = why;
      ending.abort();
    },
    isClosed: () => isClosed,
    [Symbol.asyncIterator]: () => stream,
    async [Symbol.asyncDispose]() {
      await leave();
    },
  };
  return stream;
}
