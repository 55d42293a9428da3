import { useApolloClient, useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { describeError } from '../api/client';
import { useLive } from '../api/live';
import { Composer } from '../components/Composer';
import { More, Waiting } from '../components/More';
import { TweetCard } from '../components/TweetCard';
import { graphql } from '../gql';
import type { NewTweetSubscription } from '../gql/graphql';

const TIMELINE = graphql(`
  query HomeTimeline($after: String) {
    viewer {
      id
      timeline(first: 20, after: $after) {
        edges {
          cursor
          node {
            id
            createdAt
            ...TweetCard
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

const NEW_TWEET = graphql(`
  subscription NewTweet($after: String) {
    timelineTweet(after: $after) {
      cursor
      node {
        id
        createdAt
        ...TweetCard
      }
    }
  }
`);

type Edge = NewTweetSubscription['timelineTweet'];

/**
 * The cursor of what somebody has just posted: the timeline has the tweets of others only, so it has no position there. It stands
 * above the others until the timeline is read again.
 */
const OWN = '';
/** How much older than the newest tweet one may be that has come late. */
const LATE_MS = 5 * 60_000;

/** The home timeline. New tweets wait above it until they are asked for, so that nothing moves while somebody reads. */
export function Home() {
  const client = useApolloClient();
  const { data, loading, error, fetchMore, refetch } = useQuery(TIMELINE, {
    notifyOnNetworkStatusChange: true,
    fetchPolicy: 'cache-and-network',
    nextFetchPolicy: 'cache-first',
  });
  const [waiting, setWaiting] = useState<readonly Edge[]>([]);
  const timeline = data?.viewer?.timeline;
  const first = timeline?.edges.find(({ cursor }) => cursor !== OWN);
  const newest = timeline && (first?.cursor ?? null);
  useLive(
    NEW_TWEET,
    newest,
    (event) => event.timelineTweet,
    (edge) => {
      // A follow brings older tweets, too. They have their places in the timeline, where they are when it is read again. Others come late
      // because a server was slow, so they are a little older than what is shown.
      const age = first ? Date.parse(first.node.createdAt) - Date.parse(edge.node.createdAt) : 0;
      if (age > LATE_MS) return;
      setWaiting((before) =>
        before.some(({ node }) => node.id === edge.node.id) ? before : [edge, ...before],
      );
    },
    () => void refetch(),
  );
  const shown = new Set(timeline?.edges.map(({ node }) => node.id));
  const fresh = waiting.filter(({ node }) => !shown.has(node.id));

  function prepend(edges: readonly Edge[]): void {
    client.cache.updateQuery({ query: TIMELINE }, (before) => {
      if (!before?.viewer?.timeline) return before;
      const { viewer } = before;
      const { timeline } = before.viewer;
      return {
        ...before,
        viewer: { ...viewer, timeline: { ...timeline, edges: [...edges, ...timeline.edges] } },
      };
    });
  }

  return (
    <section aria-labelledby="home">
      <h1 id="home">Home</h1>
      <Composer
        label="What is happening?"
        onPosted={(node) => prepend([{ __typename: 'TweetEdge', cursor: OWN, node }])}
      />
      <div role="status">
        {fresh.length > 0 && (
          <button
            type="button"
            className="fresh"
            onClick={() => {
              prepend(fresh);
              setWaiting([]);
              window.scrollTo({ top: 0 });
            }}
          >
            Show {fresh.length} new
          </button>
        )}
      </div>
      {timeline ? (
        <>
          {timeline.edges.map(({ node }) => (
            <TweetCard key={node.id} tweet={node} />
          ))}
          <More
            hasMore={timeline.pageInfo.hasNextPage}
            isLoading={loading}
            load={() => void fetchMore({ variables: { after: timeline.pageInfo.endCursor } })}
          />
        </>
      ) : (
        <Waiting error={error && describeError(error)} />
      )}
    </section>
  );
}
