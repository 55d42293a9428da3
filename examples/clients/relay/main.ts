// Reads a timeline page by page, posts, meets an error by its code, and waits for a new tweet. Prints a line of JSON for each.
import { randomUUID } from 'node:crypto';
import { createClient } from 'graphql-ws';
import { JSDOM } from 'jsdom';
import { createElement, Suspense, useEffect } from 'react';
import relayHooks from 'react-relay';
import relay from 'relay-runtime';
import likeMutation, { type documentsLikeMutation } from './murmuration/documentsLikeMutation.graphql.ts';
import newTweetSubscription, {
  type documentsNewTweetSubscription,
} from './murmuration/documentsNewTweetSubscription.graphql.ts';
import postMutation, { type documentsPostMutation } from './murmuration/documentsPostMutation.graphql.ts';
import type { documentsTimelinePageQuery } from './murmuration/documentsTimelinePageQuery.graphql.ts';
import timelineQuery, { type documentsTimelineQuery } from './murmuration/documentsTimelineQuery.graphql.ts';
import timelineFragment, {
  type documentsTimeline_user$key,
} from './murmuration/documentsTimeline_user.graphql.ts';

const { RelayEnvironmentProvider, useLazyLoadQuery, usePaginationFragment } = relayHooks;
const { commitMutation, Environment, Network, Observable, RecordSource, requestSubscription, Store } = relay;

const { API_URL: url = '', TOKEN: token = '' } = process.env;
const headers = { authorization: `Bearer ${token}` };
const sockets = createClient({ url: url.replace('http', 'ws'), connectionParams: headers });

const environment = new Environment({
  store: new Store(new RecordSource()),
  network: Network.create(
    async ({ text: query }, variables) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      });
      return response.json();
    },
    ({ text }, variables) =>
      Observable.create((sink) => sockets.subscribe({ query: text ?? '', variables }, sink as never)),
  ),
});

function tell(what: object): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}

interface Read {
  readonly contents: readonly string[];
  readonly newest: string | undefined;
}

/** The pagination container: loads the next page as long as there is one. */
function Timeline({ user, onRead }: { user: documentsTimeline_user$key; onRead: (read: Read) => void }) {
  const { data, hasNext, isLoadingNext, loadNext } = usePaginationFragment<
    documentsTimelinePageQuery,
    documentsTimeline_user$key
  >(timelineFragment, user);
  const edges = data.timeline.edges;
  useEffect(() => {
    if (isLoadingNext) return;
    if (hasNext) loadNext(2);
    else onRead({ contents: edges.map(({ node }) => node.content), newest: edges[0]?.cursor });
  }, [hasNext, isLoadingNext, edges.length]);
  return null;
}

function Page({ onRead }: { onRead: (read: Read) => void }) {
  const { viewer } = useLazyLoadQuery<documentsTimelineQuery>(timelineQuery, { first: 2 });
  if (!viewer) throw new Error('The token must be of a user.');
  return createElement(Timeline, { user: viewer, onRead });
}

async function readTimeline(): Promise<Read> {
  const { window } = new JSDOM('<main></main>');
  Object.assign(globalThis, { window, document: window.document });
  const { createRoot } = await import('react-dom/client');
  const container = window.document.querySelector('main') as unknown as Element;
  let root: ReturnType<typeof createRoot> | undefined;
  const read = await new Promise<Read>((resolve, reject) => {
    root = createRoot(container, { onUncaughtError: reject });
    const page = createElement(Suspense, { fallback: null }, createElement(Page, { onRead: resolve }));
    root.render(createElement(RelayEnvironmentProvider, { environment, children: page }));
  });
  root?.unmount();
  return read;
}

const { contents, newest } = await readTimeline();
tell({ timeline: contents });

await new Promise<void>((resolve, reject) => {
  commitMutation<documentsPostMutation>(environment, {
    mutation: postMutation,
    variables: { content: 'Hello from Relay', idempotencyKey: randomUUID() },
    onCompleted({ createTweet }) {
      tell({ posted: createTweet?.tweet.content });
      resolve();
    },
    onError: reject,
  });
});

await new Promise<void>((resolve, reject) => {
  commitMutation<documentsLikeMutation>(environment, {
    mutation: likeMutation,
    variables: { id: 'nothing' },
    onCompleted(_, errors) {
      const [error] = (errors ?? []) as unknown as readonly { extensions?: { code?: string } }[];
      tell({ code: error?.extensions?.code });
      resolve();
    },
    onError: reject,
  });
});

tell({ listening: true });
const { dispose } = requestSubscription<documentsNewTweetSubscription>(environment, {
  subscription: newTweetSubscription,
  variables: { after: newest ?? null },
  onNext(data) {
    tell({ event: data?.timelineTweet.node.content });
    dispose();
    // React's scheduler would keep the process alive.
    process.exit();
  },
  onError(error) {
    throw error;
  },
});
