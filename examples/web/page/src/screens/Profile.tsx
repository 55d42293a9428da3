import { useMutation, useQuery } from '@apollo/client/react';
import { describeError } from '../api/client';
import { More, Waiting } from '../components/More';
import { Avatar } from '../components/Person';
import { TweetCard } from '../components/TweetCard';
import { graphql } from '../gql';
import type { ProfilePageQuery } from '../gql/graphql';

const PROFILE = graphql(`
  query ProfilePage($username: String!, $after: String) {
    viewer {
      id
    }
    user(username: $username) {
      id
      ...Person
      username
      name
      description
      createdAt
      tweetCount
      followerCount
      followingCount
      viewerIsFollowing
      isFollowingViewer
      viewerIsBlocking
      isBlockingViewer
      viewerIsMuting
      tweets(first: 20, after: $after) {
        edges {
          cursor
          node {
            id
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

const FOLLOW = graphql(`
  mutation Follow($id: ID!) {
    followUser(id: $id) {
      followee {
        id
        followerCount
        viewerIsFollowing
      }
      follower {
        id
        followingCount
      }
    }
  }
`);

const UNFOLLOW = graphql(`
  mutation Unfollow($id: ID!) {
    unfollowUser(id: $id) {
      followee {
        id
        followerCount
        viewerIsFollowing
      }
      follower {
        id
        followingCount
      }
    }
  }
`);

const BLOCK = graphql(`
  mutation Block($id: ID!) {
    blockUser(id: $id) {
      user {
        id
        viewerIsBlocking
        viewerIsFollowing
        followerCount
      }
    }
  }
`);

const UNBLOCK = graphql(`
  mutation Unblock($id: ID!) {
    unblockUser(id: $id) {
      user {
        id
        viewerIsBlocking
      }
    }
  }
`);

const MUTE = graphql(`
  mutation Mute($id: ID!) {
    muteUser(id: $id) {
      user {
        id
        viewerIsMuting
      }
    }
  }
`);

const UNMUTE = graphql(`
  mutation Unmute($id: ID!) {
    unmuteUser(id: $id) {
      user {
        id
        viewerIsMuting
      }
    }
  }
`);

type User = NonNullable<ProfilePageQuery['user']>;

export function Profile({ username }: { readonly username: string }) {
  const { data, loading, error, fetchMore, refetch } = useQuery(PROFILE, {
    variables: { username },
    fetchPolicy: 'cache-and-network',
    nextFetchPolicy: 'cache-first',
    notifyOnNetworkStatusChange: true,
  });
  if (data?.user === null) return <p className="note">Nobody has this username.</p>;
  if (!data?.user) return <Waiting error={error && describeError(error)} />;
  const { user, viewer } = data;
  const { edges, pageInfo } = user.tweets;
  return (
    <section aria-labelledby="profile">
      <header className="profile">
        <Avatar person={user} />
        <div>
          <h1 id="profile">
            <bdi>{user.name}</bdi>
          </h1>
          <p className="handle">
            @{user.username} {user.isFollowingViewer && <span className="tag">Follows you</span>}
          </p>
          {user.description && <p dir="auto">{user.description}</p>}
          <ul className="counts">
            <Count count={user.tweetCount} of="tweets" />
            <Count count={user.followerCount} of="followers" />
            <Count count={user.followingCount} of="following" />
          </ul>
          {viewer && viewer.id !== user.id && <Relations user={user} onBlocked={() => void refetch()} />}
        </div>
      </header>
      {edges.map(({ node }) => (
        <TweetCard key={node.id} tweet={node} />
      ))}
      <More
        hasMore={pageInfo.hasNextPage}
        isLoading={loading}
        load={() => void fetchMore({ variables: { after: pageInfo.endCursor } })}
      />
    </section>
  );
}

function Count({ count, of }: { readonly count: number; readonly of: string }) {
  return (
    <li>
      <strong>{count.toLocaleString('en')}</strong> {of}
    </li>
  );
}

interface RelationsProps {
  readonly user: User;
  /** A block changes what lists show, so they must be read again. */
  onBlocked(): void;
}

function Relations({ user, onBlocked }: RelationsProps) {
  const { id, viewerIsFollowing, viewerIsBlocking, viewerIsMuting, isBlockingViewer } = user;
  const variables = { id };
  const [follow, following] = useMutation(viewerIsFollowing ? UNFOLLOW : FOLLOW, { variables });
  const [block, blocking] = useMutation(viewerIsBlocking ? UNBLOCK : BLOCK, {
    variables,
    onCompleted: onBlocked,
  });
  const [mute, muting] = useMutation(viewerIsMuting ? UNMUTE : MUTE, { variables });
  const error = following.error ?? blocking.error ?? muting.error;
  const canFollow = !viewerIsBlocking && !isBlockingViewer;
  const quietly = (act: () => Promise<unknown>) => () => void act().catch(() => undefined);
  return (
    <>
      <div className="relations">
        {canFollow && (
          <button type="button" disabled={following.loading} onClick={quietly(follow)}>
            {viewerIsFollowing ? 'Unfollow' : 'Follow'}
          </button>
        )}
        <button type="button" className="quiet" disabled={muting.loading} onClick={quietly(mute)}>
          {viewerIsMuting ? 'Unmute' : 'Mute'}
        </button>
        <button type="button" className="quiet danger" disabled={blocking.loading} onClick={quietly(block)}>
          {viewerIsBlocking ? 'Unblock' : 'Block'}
        </button>
      </div>
      {isBlockingViewer && <p className="note">This user blocks you.</p>}
      {error && (
        <p className="error" role="alert">
          {describeError(error)}
        </p>
      )}
    </>
  );
}
