import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, type TypePolicies } from '@apollo/client';
import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';
import { ErrorLink } from '@apollo/client/link/error';
import { createPersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { RetryLink } from '@apollo/client/link/retry';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { relayStylePagination } from '@apollo/client/utilities';
import { OperationTypeNode, type DocumentNode } from 'graphql';
import { createClient } from 'graphql-ws';
import { map } from 'rxjs';
import { Costs } from './costs';
import type { Session } from './session';

/** A client of the API for one person. */
export interface Api {
  readonly client: ApolloClient;
  readonly costs: Costs;
  /** Ends its connections. */
  close(): void;
}

/** Lists grow at their end by pages; each list with other arguments is another list. */
const typePolicies: TypePolicies = {
  Query: { fields: { searchTweets: relayStylePagination(['words', 'order']) } },
  User: {
    fields: {
      timeline: relayStylePagination(['order']),
      tweets: relayStylePagination(['order']),
      notifications: relayStylePagination(['kinds']),
    },
  },
};

/** The hash of a document, by which the server knows it; the code generator has written it beside the document. */
function hashOf(document: DocumentNode): string {
  const { __meta__: meta } = document as DocumentNode & { __meta__?: { hash?: string } };
  if (meta?.hash === undefined) throw new Error('Each document must be generated with its hash.');
  return meta.hash;
}

/** The code with which the server closes a WebSocket whose token is not valid, or has expired. */
const TOKEN_REFUSED = 4401;

export function createApi(address: string, session: Session, onSignedOut: () => void): Api {
  const costs = new Costs();
  const authorization = `Bearer ${session.token}`;
  const sockets = createClient({
    url: address.replace(/^http/, 'ws'),
    connectionParams: { authorization },
    on: {
      closed(event) {
        if ((event as { readonly code?: number }).code === TOKEN_REFUSED) onSignedOut();
      },
    },
    // By itself it would subscribe again where the subscription began. `useLive` goes on after the last event.
    retryAttempts: 0,
  });
  const signOut = new ErrorLink(({ error }) => {
    // The token has expired, or its account is gone.
    if (codeOf(error) === 'UNAUTHENTICATED') onSignedOut();
  });
  const http = ApolloLink.from([
    costs.link,
    retryLink(),
    temporaryErrorsLink,
    createPersistedQueryLink({ generateHash: hashOf, disable: () => false }),
    new HttpLink({ uri: address, headers: { authorization } }),
  ]);
  const client = new ApolloClient({
    cache: new InMemoryCache({ typePolicies }),
    link: ApolloLink.from([
      signOut,
      ApolloLink.split(
        ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
        new GraphQLWsLink(sockets),
        http,
      ),
    ]),
  });
  return {
    client,
    costs,
    close() {
      client.stop();
      void sockets.dispose();
    },
  };
}

/** For how long a person waits until an operation is sent again. If it takes longer, they are told. */
const MAX_WAIT_MS = 10_000;

/**
 * Sends an operation again when the server cannot be reached or cannot answer, but not before the moment that it names. Every mutation is
 * safe to repeat, because those that create something have an idempotency key.
 */
function retryLink(): RetryLink {
  return new RetryLink({
    delay: (attempt, _operation, error) =>
      waitBefore(error) + Math.random() * Math.min(5000, 300 * 2 ** attempt),
    attempts: { max: 20, retryIf: (error) => isTemporary(error) && waitBefore(error) <= MAX_WAIT_MS },
  });
}

/** For how many milliseconds a server wants nothing to be sent again after an error; 0 if it does not say. */
export function waitBefore(error: unknown): number {
  const given = CombinedGraphQLErrors.is(error)
    ? error.errors.map(({ extensions }) => Number(extensions?.['retryAfter'] ?? 0))
    : ServerError.is(error)
      ? [Number(error.response.headers.get('retry-after') ?? 0)]
      : [];
  // A proxy may name a date, which is no number.
  return 1000 * Math.max(0, ...given.filter((seconds) => !Number.isNaN(seconds)));
}

/** Makes an answer that says only that the server cannot answer now an error: `RetryLink` looks at errors alone. */
const temporaryErrorsLink = new ApolloLink((operation, forward) =>
  forward(operation).pipe(
    map((result) => {
      const { errors = [] } = result;
      if (errors.length > 0 && errors.every(isTemporaryCode)) throw new CombinedGraphQLErrors(result);
      return result;
    }),
  ),
);

function isTemporaryCode({
  extensions,
}: {
  readonly extensions?: Readonly<Record<string, unknown>>;
}): boolean {
  return extensions?.['code'] === 'UNAVAILABLE' || extensions?.['code'] === 'RATE_LIMITED';
}

/** Whether an error is one that a later attempt may not meet. */
function isTemporary(error: unknown): boolean {
  if (CombinedGraphQLErrors.is(error)) return error.errors.every(isTemporaryCode);
  if (ServerError.is(error)) return error.statusCode === 429 || error.statusCode >= 500;
  // What `fetch` throws when nobody answers.
  return error instanceof TypeError;
}

/** What to tell a person of an error. */
export function describeError(error: unknown): string {
  if (CombinedGraphQLErrors.is(error)) return error.errors.map(({ message }) => message).join(' ');
  if (isTemporary(error))
    return `The server cannot be reached. ${waitBefore(error) > MAX_WAIT_MS ? 'Try again later.' : 'Trying again…'}`;
  return error instanceof Error ? error.message : String(error);
}

/** The code of an error of the API, such as `CONFLICT`. */
export function codeOf(error: unknown): string | undefined {
  if (!CombinedGraphQLErrors.is(error)) return undefined;
  const code = error.errors[0]?.extensions?.['code'];
  return typeof code === 'string' ? code : undefined;
}
