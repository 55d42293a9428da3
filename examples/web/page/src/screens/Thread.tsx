import { useApolloClient, useQuery } from '@apollo/client/react';
import { useState, type CSSProperties } from 'react';
import { describeError } from '../api/client';
import { More, Waiting } from '../components/More';
import { TweetCard } from '../components/TweetCard';
import { graphql } from '../gql';
import type { HiddenReason, ThreadPageQuery } from '../gql/graphql';

const THREAD = graphql(`
  query ThreadPage($tweetId: String!, $after: String) {
    tweet(tweetId: $tweetId) {
      id
      thread(first: 20, after: $after, depth: 4, perParent: 5) {
        edges {
          cursor
          depth
          hiddenReason
          tweetId
          node {
            id
            ...TweetCard
          }
          moreReplies {
            count
            cursor
          }
        }
        pageInfo {
          endCursor
          hasNextPage
        }
      }
    }
  }
`);

const ANCESTORS = graphql(`
  query Ancestors($tweetId: String!) {
    tweet(tweetId: $tweetId) {
      id
      ancestors(first: 20) {
        nodes {
          id
          ...TweetCard
        }
      }
    }
  }
`);

type Edge = NonNullable<ThreadPageQuery['tweet']>['thread']['edges'][number];

/** A tweet with what it answers above it and the replies below. Where replies are left out, a button brings them. */
export function Thread({ tweetId }: { readonly tweetId: string }) {
  const { data, loading, error, fetchMore, refetch } = useQuery(THREAD, {
    variables: { tweetId },
    notifyOnNetworkStatusChange: true,
  });
  const ancestors = useQuery(ANCESTORS, { variables: { tweetId } });
  if (data?.tweet === null) return <p className="note">This tweet is not there, or not shown to you.</p>;
  if (!data) return <Waiting error={error && describeError(error)} />;
  const { edges, pageInfo } = data.tweet!.thread;
  return (
    <section aria-labelledby="thread">
      <h1 id="thread">Conversation</h1>
      {ancestors.data?.tweet?.ancestors.nodes.map((node) => (
        <TweetCard key={node.id} tweet={node} />
      ))}
      <Rows
        edges={edges}
        isComplete={!pageInfo.hasNextPage}
        tweetId={tweetId}
        onReplied={() => void refetch()}
      />
      <More
        hasMore={pageInfo.hasNextPage}
        isLoading={loading}
        load={() =>
          void fetchMore({
            variables: { after: pageInfo.endCursor },
            updateQuery: (before, { fetchMoreResult: next }) =>
              before.tweet && next.tweet
                ? {
                    ...next,
                    tweet: {
                      ...next.tweet,
                      thread: {
                        ...next.tweet.thread,
                        edges: [...before.tweet.thread.edges, ...next.tweet.thread.edges],
                      },
                    },
                  }
                : before,
          })
        }
      />
    </section>
  );
}

interface RowsProps {
  readonly edges: readonly Edge[];
  /** Whether no further page follows. Until then, tweets at the end may have more replies in the next page. */
  readonly isComplete: boolean;
  readonly tweetId: string;
  onReplied(): void;
}

/** The tweets of a thread, and behind each one's replies a button for those that the page has left out. */
function Rows({ edges, isComplete, tweetId, onReplied }: RowsProps) {
  return placeRows(edges, isComplete).map(({ edge, isMore }) =>
    isMore ? (
      <MoreReplies key={`more ${edge.tweetId}`} edge={edge} tweetId={tweetId} onReplied={onReplied} />
    ) : (
      <div key={edge.tweetId} className="branch" style={indent(edge.depth)}>
        {edge.node ? (
          <TweetCard tweet={edge.node} isMain={edge.depth === 0} onReplied={onReplied} />
        ) : (
          <p className="note">{explain(edge.hiddenReason)}</p>
        )}
      </div>
    ),
  );
}

interface Row {
  readonly edge: Edge;
  /** Whether the row stands for the replies to the tweet that were left out. */
  readonly isMore: boolean;
}

/** Puts what was left out of the replies to a tweet behind all that is shown below it. */
function placeRows(edges: readonly Edge[], isComplete: boolean): Row[] {
  const rows: Row[] = [];
  const above: Edge[] = [];
  function closeTo(depth: number): void {
    for (let last = above.at(-1); last && last.depth >= depth; last = above.at(-1)) {
      above.pop();
      if (last.moreReplies) rows.push({ edge: last, isMore: true });
    }
  }
  for (const edge of edges) {
    closeTo(edge.depth);
    rows.push({ edge, isMore: false });
    above.push(edge);
  }
  if (isComplete) closeTo(0);
  return rows;
}

/** Deep threads stay readable on a small screen. */
function indent(depth: number): CSSProperties {
  return { '--depth': Math.min(depth, 5) } as CSSProperties;
}

type MoreRepliesProps = Pick<RowsProps, 'tweetId' | 'onReplied'> & { readonly edge: Edge };

/** The replies that a page has left out, page by page where the thread was cut. */
function MoreReplies({ edge, tweetId, onReplied }: MoreRepliesProps) {
  const client = useApolloClient();
  const [edges, setEdges] = useState<readonly Edge[]>([]);
  const [cursor, setCursor] = useState(edge.moreReplies?.cursor ?? null);
  const [isLoading, setLoading] = useState(false);
  const [error, setError] = useState<string>();
  const count = edge.moreReplies?.count ?? 0;

  async function open(): Promise<void> {
    setLoading(true);
    setError(undefined);
    try {
      const { data } = await client.query({
        query: THREAD,
        variables: { tweetId, after: cursor },
        fetchPolicy: 'network-only',
      });
      const thread = data?.tweet?.thread;
      if (!thread) return;
      setEdges((before) => [...before, ...thread.edges]);
      setCursor(thread.pageInfo.hasNextPage ? (thread.pageInfo.endCursor ?? null) : null);
    } catch (failure) {
      setError(describeError(failure));
    } finally {
      setLoading(false);
    }
  }

  return (
    <>
      <Rows edges={edges} isComplete={cursor === null} tweetId={tweetId} onReplied={onReplied} />
      {cursor && (
        <button
          type="button"
          className="quiet branch"
          style={indent(edge.depth + 1)}
          disabled={isLoading}
          onClick={() => void open()}
        >
          {edges.length > 0
            ? 'Show more replies'
            : `Show ${count.toLocaleString('en')} more ${count === 1 ? 'reply' : 'replies'}`}
        </button>
      )}
      {error && (
        <p className="error" role="alert">
          {error}
        </p>
      )}
    </>
  );
}

/** Why a tweet of a thread is not shown. */
function explain(reason: HiddenReason | null | undefined): string {
  switch (reason) {
    case 'DELETED':
      return 'This tweet was deleted.';
    case 'BLOCKED':
    case 'BLOCKED_BY':
      return 'A block hides this tweet.';
    case 'MUTED':
    case 'MUTED_WORD':
      return 'You have muted this.';
    default:
      return 'This tweet is not shown to you.';
  }
}
