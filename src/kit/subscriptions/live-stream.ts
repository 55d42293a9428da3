import { asError, type ClientError, type ErrorCode } from '../base/errors';
import { Ending } from './live';
import type { LiveResult } from './live-services';

/** The events of a subscription. `return` ends it at once, whatever it waits for. */
export interface LiveStream extends AsyncGenerator<LiveResult, undefined, undefined> {
  /** Ends it with an error as its last event. */
  end(reason: ClientError): void;
  /** Whether it has given its last event, or was left. */
  isClosed(): boolean;
  /** Whether it has ended before its events began: what it asks for is not allowed, or too much. */
  wasRefused(): boolean;
}

/** The functions of which a stream is made. */
export interface LiveSource {
  /** Begins the events, which end when `ending` does. */
  beginEvents(ending: Ending): Promise<AsyncIterator<object>>;
  /** Executes an event. Rejects if `ending` comes before it is executed. */
  resultOf(event: object, ending: Ending): Promise<LiveResult>;
  /** The event that shows an error. */
  errorOf(error: Error): LiveResult;
  /** Is called once when the stream has ended, with the reason: a code of the catalogue, `completed` or `left` by its client. */
  closed(how: string): void;
}

const DONE = { done: true, value: undefined } as const;

/** Creates the stream of a subscription: an error is its last event. */
export function createLiveStream(source: LiveSource): LiveStream {
  return new SourceStream(source);
}

class SourceStream implements LiveStream {
  readonly #source: LiveSource;
  readonly #ending = new Ending();
  #events: AsyncIterator<object, undefined> | null = null;
  /** The last call of `next`, until it has resolved. */
  #running: Promise<IteratorResult<LiveResult, undefined>> | null = null;
  #reason: Error | null = null;
  #wasRefused = false;
  /** Whether the last event was given, or there is none. */
  #isOver = false;
  #isClosed = false;
  #how = 'left';

  constructor(source: LiveSource) {
    this.#source = source;
  }

  next(): Promise<IteratorResult<LiveResult, undefined>> {
    this.#running = this.#next();
    return this.#running;
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#ending.end();
    this.#close();
    await this.#running;
    this.#isOver = true;
    await this.#events?.return?.();
    return DONE;
  }

  throw(): Promise<IteratorReturnResult<undefined>> {
    return this.return();
  }

  end(reason: ClientError): void {
    if (this.#ending.isEnded()) return;
    this.#reason = reason;
    this.#ending.end();
  }

  isClosed(): boolean {
    return this.#isClosed;
  }

  wasRefused(): boolean {
    return this.#wasRefused;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async #next(): Promise<IteratorResult<LiveResult, undefined>> {
    try {
      if (!this.#ending.isEnded() && !this.#isOver) {
        this.#events ??= await this.#source.beginEvents(this.#ending);
        const event = await this.#events.next();
        const result =
          event.done || this.#ending.isEnded()
            ? null
            : await this.#source.resultOf(event.value, this.#ending);
        if (result !== null && !this.#ending.isEnded()) {
          if (isLost(result)) await this.#endWith(result);
          return { done: false, value: result };
        }
        if (!this.#ending.isEnded()) this.#how = 'completed';
      }
    } catch (error) {
      this.#wasRefused = this.#events === null && !this.#ending.isEnded();
      this.#reason ??= asError(error);
    }
    const last = this.#isOver ? null : await this.#lastEvent();
    if (last !== null) return { done: false, value: last };
    this.#close();
    return DONE;
  }

  /** The event that shows why the subscription ends; null if nothing is to be shown. */
  async #lastEvent(): Promise<LiveResult | null> {
    const result = this.#reason && !this.#isClosed ? this.#source.errorOf(this.#reason) : null;
    await this.#endWith(result);
    return result;
  }

  /** Ends the events. `last` is the last one; null if nothing shows the end. */
  async #endWith(last: LiveResult | null): Promise<void> {
    this.#isOver = true;
    await this.#events?.return?.();
    if (last !== null) this.#how = String(last.errors?.[0]?.extensions?.['code']);
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#source.closed(this.#how);
  }
}

/** The codes of events that may be executed later, or with other fields. */
const RESUMABLE: ReadonlySet<unknown> = new Set<ErrorCode>([
  'UNAVAILABLE',
  'RATE_LIMITED',
  'QUERY_TOO_LARGE',
]);

/**
 * Whether an event shows nothing but an error, although it could be shown later. The list gives its node once, so the client gets it only
 * by resuming after the event before.
 */
function isLost({ data, errors }: LiveResult): boolean {
  if (errors === undefined || !Object.values(data ?? {}).every((value) => value === null)) return false;
  return errors.some(({ extensions }) => RESUMABLE.has(extensions?.['code']));
}
