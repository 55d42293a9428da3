import { useMutation, useQuery } from '@apollo/client/react';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { describeError } from '../api/client';
import { useNotified } from '../api/notified';
import { More, Waiting } from '../components/More';
import { Avatar, PersonName } from '../components/Person';
import { Time } from '../components/Time';
import { graphql } from '../gql';
import type { NotificationPageQuery } from '../gql/graphql';

const NOTIFICATIONS = graphql(`
  query NotificationPage($after: String) {
    viewer {
      id
      notifications(first: 20, after: $after) {
        edges {
          cursor
          node {
            id
            kind
            text
            isSeen
            listedAt
            actorCount
            actors(first: 3) {
              nodes {
                id
                ...Person
              }
            }
            tweet {
              id
              tweetId
              content
            }
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

const MARK_SEEN = graphql(`
  mutation MarkSeen($until: String!) {
    markNotificationsSeen(until: $until) {
      unreadNotifications {
        count
        isCapped
      }
    }
  }
`);

type Item = NonNullable<
  NonNullable<NotificationPageQuery['viewer']>['notifications']
>['edges'][number]['node'];

/** What has happened to the viewer. Whoever opens it has seen what it shows, and the badge says so. */
export function Notifications() {
  const { data, loading, error, fetchMore, refetch } = useQuery(NOTIFICATIONS, {
    fetchPolicy: 'cache-and-network',
    nextFetchPolicy: 'cache-first',
    notifyOnNetworkStatusChange: true,
  });
  const [markSeen] = useMutation(MARK_SEEN, { refetchQueries: ['Badge'] });
  useNotified(() => void refetch());
  const list = data?.viewer?.notifications;
  const newest = list?.edges[0];
  const until = newest && !newest.node.isSeen ? newest.cursor : undefined;
  useEffect(() => {
    if (until !== undefined) void markSeen({ variables: { until } }).catch(() => undefined);
  }, [until, markSeen]);
  return (
    <section aria-labelledby="notifications">
      <h1 id="notifications">Notifications</h1>
      {list ? (
        <>
          <ul className="notifications">
            {list.edges.map(({ node }) => (
              <li key={node.id} className={node.isSeen ? '' : 'unread'}>
                <Notification item={node} />
              </li>
            ))}
          </ul>
          <More
            hasMore={list.pageInfo.hasNextPage}
            isLoading={loading}
            load={() => void fetchMore({ variables: { after: list.pageInfo.endCursor } })}
          />
        </>
      ) : (
        <Waiting error={error && describeError(error)} />
      )}
    </section>
  );
}

function Notification({ item }: { readonly item: Item }) {
  const { text, actors, tweet, listedAt, isSeen } = item;
  return (
    <>
      <p className="faces">
        {actors.nodes.map((actor) => (
          <Avatar key={actor.id} person={actor} />
        ))}
        <Time at={listedAt} />
      </p>
      <p>
        {!isSeen && <span className="unseen">Unread: </span>}
        {text}
      </p>
      {tweet ? (
        <Link href={`/tweet/${tweet.tweetId}`} className="excerpt" dir="auto">
          {tweet.content}
        </Link>
      ) : (
        actors.nodes.map((actor) => <PersonName key={actor.id} person={actor} />)
      )}
    </>
  );
}
