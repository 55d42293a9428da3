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

export function createApi(address: string, session: Session, onSignedOut: () => void): Api {
  const costs = new Costs();
  const authorization = `Bearer ${session.token}`;
  const sockets = createClient({
    url: address.replace(/^http/, 'ws'),
    connectionParams: { authorization },
    // By itself it would subscribe again where the subscription began. `useLive` goes on after the last event.
    retryAttempts: 0,
  });
  const http = ApolloLink.from([
    costs.link,
    new ErrorLink(({ error }) => {
      // The token has expired, or its account is gone.
      if (codeOf(error) === 'UNAUTHENTICATED') onSignedOut();
    }),
    retryLink(),
    temporaryErrorsLink,
    createPersistedQueryLink({ generateHash: hashOf, disable: () => false }),
    new HttpLink({ uri: address, headers: { authorization } }),
  ]);
  const client = new ApolloClient({
    cache: new InMemoryCache({ typePolicies }),
    link: ApolloLink.split(
      ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
      new GraphQLWsLink(sockets),
      http,
    ),
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

/**
 * Sends an operation again when the server cannot be reached or cannot answer. Every mutation is safe to repeat, because those that
 * create something have an idempotency key.
 */
function retryLink(): RetryLink {
  return new RetryLink({
    delay: { initial: 300, max: 5000, jitter: true },
    attempts: { max: 20, retryIf: (error) => isTemporary(error) },
  });
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
  if (isTemporary(error)) return 'The server cannot be reached. Trying again…';
  return error instanceof Error ? error.message : String(error);
}

/** The code of an error of the API, such as `CONFLICT`. */
export function codeOf(error: unknown): string | undefined {
  if (!CombinedGraphQLErrors.is(error)) return undefined;
  const code = error.errors[0]?.extensions?.['code'];
  return typeof code === 'string' ? code : undefined;
}
