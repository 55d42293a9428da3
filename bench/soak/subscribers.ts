import { createClient as createEventsClient } from 'graphql-sse';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { z } from 'zod';
import { atPort } from '../scale/servers';
import type { Headers } from '../stage';
import { HASHTAG } from './acts';
import type { Ledger, Posted, Received } from './ledger';
import type { People } from './people';

const tweet = z.object({ tweetId: z.string() });

/** Subscriptions, each with what an event is about; null if it is not about a tweet that was posted. */
export const SUBSCRIPTIONS = {
  timeline: {
    query: 'subscription { timelineTweet { cursor node { tweetId content likeCount author { name } } } }',
    event: z
      .object({ timelineTweet: z.object({ node: tweet }) })
      .transform((data) => data.timelineTweet.node.tweetId),
  },
  hashtag: {
    query: `subscription { tweetPosted(hashtag: "${HASHTAG}") { cursor node { tweetId content } } }`,
    event: z
      .object({ tweetPosted: z.object({ node: tweet }) })
      .transform((data) => data.tweetPosted.node.tweetId),
  },
  notification: {
    query: 'subscription { notificationReceived { cursor node { kind text tweet { tweetId } } } }',
    event: z
      .object({
        notificationReceived: z.object({ node: z.object({ kind: z.string(), tweet: tweet.nullable() }) }),
      })
      .transform(({ notificationReceived: { node } }) =>
        node.kind === 'REPLY' ? (node.tweet?.tweetId ?? null) : null,
      ),
  },
};

/** Subscriptions that are open. */
interface Subscribers {
  readonly count: number;
  /** Ends them. */
  close(): Promise<void>;
}

/**
 * Subscribes people to their timelines and notifications over WebSocket, and one to a hashtag by `text/event-stream` on each server. They take turns
 * on the servers. `failed` is told of each that ends before `close`, and of each event with errors.
 */
export function subscribeAll(
  { subscribers, notified, followed }: People,
  headers: ReadonlyMap<string, Headers>,
  ports: readonly number[],
  ledger: Ledger,
  failed: (what: string) => void,
): Subscribers {
  const closing: (() => unknown)[] = [];
  let isClosing = false;
  const begin = (
    what: keyof typeof SUBSCRIPTIONS,
    client: Pick<ReturnType<typeof createClient>, 'subscribe' | 'dispose'>,
    received: Received,
  ) => {
    const { query, event } = SUBSCRIPTIONS[what];
    const ended = (how: unknown) => {
      if (!isClosing) failed(`A subscription to a ${what} ended: ${describe(how)}`);
    };
    client.subscribe<unknown>(
      { query },
      {
        next(result) {
          const parsed = event.safeParse(result.data);
          if (!parsed.success) failed(`An event of a ${what} had no data: ${JSON.stringify(result)}`);
          else if (parsed.data !== null) received.given(parsed.data);
        },
        error: ended,
        complete: () => {
          ended('complete');
        },
      },
    );
    closing.push(() => client.dispose());
  };
  const portAt = (n: number) => ports[n % ports.length] ?? 0;
  const overSocket =
    (what: keyof typeof SUBSCRIPTIONS, expects: (id: string, posted: Posted) => boolean) =>
    (id: string, n: number) => {
      const client = createClient({
        url: `${atPort(portAt(n)).replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        lazy: true,
        retryAttempts: 0,
        connectionParams: { authorization: headers.get(id)?.['authorization'] },
      });
      begin(
        what,
        client,
        ledger.subscriber((posted) => expects(id, posted)),
      );
    };
  subscribers.forEach(overSocket('timeline', (id, { authorId }) => followed.get(id)?.has(authorId) ?? false));
  notified.forEach(
    overSocket('notification', (id, { repliedTo, authorId }) => repliedTo === id && authorId !== id),
  );
  for (const port of ports) {
    const client = createEventsClient({ url: `${atPort(port)}/graphql`, retryAttempts: 0 });
    begin(
      'hashtag',
      client as never,
      ledger.subscriber(() => true),
    );
  }
  return {
    count: closing.length,
    async close() {
      isClosing = true;
      await Promise.all(closing.map((close) => close()));
    },
  };
}

function describe(how: unknown): string {
  if (how instanceof Error) return how.message;
  return typeof how === 'object' && how !== null && 'code' in how
    ? `code ${String(how.code)}`
    : JSON.stringify(how);
}
