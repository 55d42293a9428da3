import { useApolloClient } from '@apollo/client/react';
import type { TypedDocumentNode } from '@apollo/client';
import { useEffect, useRef } from 'react';
import { codeOf, waitBefore } from './client';

/** An event of a list: an item and its position. */
interface LiveEdge {
  readonly cursor: string;
}

const RESUME_AFTER_MS = 1000;
/** The codes of errors that the same subscription would meet again. */
const LASTING = ['UNAUTHENTICATED', 'FORBIDDEN', 'BAD_USER_INPUT', 'QUERY_TOO_LARGE'];
/** How long it takes at most, usually, until a subscription has begun at the server. */
const OPENING_MS = 2000;

/**
 * Listens to a list from a cursor on and gives each event to `onEdge`. When a subscription ends, because its server stopped or the
 * network is gone, it goes on after the last event, so nothing is left out; an item may come twice. It ends for good where the server
 * would refuse it again. It waits until `after` is there: null means from now on. As long as it has no position, it calls `onGap` a moment after it began, because something may have come meanwhile.
 */
export function useLive<Data, Edge extends LiveEdge>(
  document: TypedDocumentNode<Data, { after?: string | null }>,
  after: string | null | undefined,
  edgeOf: (data: Data) => Edge | null | undefined,
  onEdge: (edge: Edge) => void,
  onGap: () => void,
): void {
  const client = useApolloClient();
  const handlers = useRef({ edgeOf, onEdge, onGap });
  handlers.current = { edgeOf, onEdge, onGap };
  // Only where it begins matters. Afterwards the events say where it is.
  const isReady = after !== undefined;
  const start = useRef(after);
  start.current ??= after;
  useEffect(() => {
    if (!isReady) return;
    let last = start.current ?? null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let gap: ReturnType<typeof setTimeout> | undefined;
    let subscription: { unsubscribe(): void } | undefined;
    const resume = (error: unknown) => {
      if (LASTING.includes(codeOf(error) ?? '')) return;
      timer = setTimeout(listen, Math.max(RESUME_AFTER_MS, waitBefore(error)));
    };
    function listen(): void {
      // Nothing tells when the server has begun to listen. What came before that is in the list.
      if (last === null) gap = setTimeout(() => handlers.current.onGap(), OPENING_MS);
      let ended: unknown;
      subscription = client
        .subscribe({
          query: document,
          variables: { after: last },
          errorPolicy: 'all',
          fetchPolicy: 'no-cache',
        })
        .subscribe({
          next({ data, error }) {
            // What ends a subscription comes without data, and is the last that comes.
            ended = data ? undefined : error;
            const edge = data && handlers.current.edgeOf(data as Data);
            if (!edge) return;
            last = edge.cursor;
            handlers.current.onEdge(edge);
          },
          error: resume,
          complete: () => resume(ended),
        });
    }
    listen();
    return () => {
      clearTimeout(timer);
      clearTimeout(gap);
      subscription?.unsubscribe();
    };
  }, [client, document, isReady]);
}
