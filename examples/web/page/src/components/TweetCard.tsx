import { useMutation } from '@apollo/client/react';
import { useState } from 'react';
import { Link } from 'wouter';
import { describeError } from '../api/client';
import { graphql, readFragment, type FragmentType } from '../gql';
import type { TweetBodyFragment } from '../gql/graphql';
import { Composer } from './Composer';
import { Icon, type IconName } from './Icon';
import { Avatar, PersonName } from './Person';
import { Text } from './Text';
import { Time } from './Time';

export const TWEET_BODY = graphql(`
  fragment TweetBody on Tweet {
    id
    tweetId
    content
    createdAt
    likeCount
    replyCount
    shareCount
    viewerHasLiked
    viewerHasShared
    author {
      ...Person
    }
  }
`);

export const TWEET_CARD = graphql(`
  fragment TweetCard on Tweet {
    ...TweetBody
    sharedTweet {
      ...TweetBody
    }
    inReplyTo {
      id
      tweetId
      author {
        ...Person
      }
    }
    quotedTweet {
      id
      tweetId
      content
      createdAt
      author {
        ...Person
      }
    }
    quotedTweetHiddenReason
  }
`);

const LIKE = graphql(`
  mutation Like($id: ID!) {
    likeTweet(id: $id) {
      tweet {
        id
        likeCount
        viewerHasLiked
      }
    }
  }
`);

const UNLIKE = graphql(`
  mutation Unlike($id: ID!) {
    unlikeTweet(id: $id) {
      tweet {
        id
        likeCount
        viewerHasLiked
      }
    }
  }
`);

const SHARE = graphql(`
  mutation Share($id: ID!) {
    shareTweet(id: $id) {
      tweet {
        id
        shareCount
        viewerHasShared
      }
    }
  }
`);

const UNSHARE = graphql(`
  mutation Unshare($id: ID!) {
    unshareTweet(id: $id) {
      tweet {
        id
        shareCount
        viewerHasShared
      }
    }
  }
`);

interface TweetCardProps {
  readonly tweet: FragmentType<typeof TWEET_CARD>;
  /** Whether the screen is about this tweet. */
  readonly isMain?: boolean;
  onReplied?(): void;
}

/** A tweet, or for a share its original, with what can be done with it. */
export function TweetCard({ tweet, isMain = false, onReplied }: TweetCardProps) {
  const [isReplying, setReplying] = useState(false);
  const card = readFragment(TWEET_CARD, tweet);
  const own = readFragment(TWEET_BODY, card);
  const shown = readFragment(TWEET_BODY, card.sharedTweet) ?? own;
  const { inReplyTo, quotedTweet } = card;
  return (
    <article className={isMain ? 'tweet main' : 'tweet'}>
      {card.sharedTweet && (
        <p className="above">
          <Icon name="share" /> <PersonName person={own.author} /> shared <Time at={own.createdAt} />
        </p>
      )}
      <Avatar person={shown.author} />
      <div className="tweet-body">
        <p className="byline">
          <PersonName person={shown.author} />
          <Link href={`/tweet/${shown.tweetId}`} className="when">
            <Time at={shown.createdAt} />
          </Link>
        </p>
        {inReplyTo && !isMain && (
          <p className="above">
            Replies to <PersonName person={inReplyTo.author} />
          </p>
        )}
        <Text content={shown.content} />
        {quotedTweet && (
          <blockquote className="quote">
            <p className="byline">
              <PersonName person={quotedTweet.author} />
              <Link href={`/tweet/${quotedTweet.tweetId}`} className="when">
                <Time at={quotedTweet.createdAt} />
              </Link>
            </p>
            <Text content={quotedTweet.content} />
          </blockquote>
        )}
        {card.quotedTweetHiddenReason && (
          <p className="note">The tweet that this one quotes is not shown to you.</p>
        )}
        <Actions tweet={shown} isReplying={isReplying} onReply={() => setReplying(!isReplying)} />
        {isReplying && (
          <Composer
            inReplyTo={shown.id}
            label="Your reply"
            onPosted={() => {
              setReplying(false);
              onReplied?.();
            }}
          />
        )}
      </div>
    </article>
  );
}

interface ActionsProps {
  readonly tweet: TweetBodyFragment;
  readonly isReplying: boolean;
  onReply(): void;
}

/** Likes, or takes the like back. The page shows at once what the server will answer, and goes back if that fails. */
function useLiking({ id, likeCount, viewerHasLiked }: TweetBodyFragment) {
  const tweet = {
    __typename: 'Tweet',
    id,
    likeCount: likeCount + (viewerHasLiked ? -1 : 1),
    viewerHasLiked: !viewerHasLiked,
  } as const;
  const likeTweet = { __typename: 'LikeTweetPayload', tweet } as const;
  const unlikeTweet = { __typename: 'UnlikeTweetPayload', tweet } as const;
  const [like, liking] = useMutation(LIKE, {
    variables: { id },
    optimisticResponse: { __typename: 'Mutation', likeTweet },
  });
  const [unlike, unliking] = useMutation(UNLIKE, {
    variables: { id },
    optimisticResponse: { __typename: 'Mutation', unlikeTweet },
  });
  return {
    act: viewerHasLiked ? unlike : like,
    isBusy: liking.loading || unliking.loading,
    error: liking.error ?? unliking.error,
  };
}

/** Shares, or takes the share back, as `useLiking` does. */
function useSharing({ id, shareCount, viewerHasShared }: TweetBodyFragment) {
  const tweet = {
    __typename: 'Tweet',
    id,
    shareCount: shareCount + (viewerHasShared ? -1 : 1),
    viewerHasShared: !viewerHasShared,
  } as const;
  const shareTweet = { __typename: 'ShareTweetPayload', tweet } as const;
  const unshareTweet = { __typename: 'UnshareTweetPayload', tweet } as const;
  const [share, sharing] = useMutation(SHARE, {
    variables: { id },
    optimisticResponse: { __typename: 'Mutation', shareTweet },
  });
  const [unshare, unsharing] = useMutation(UNSHARE, {
    variables: { id },
    optimisticResponse: { __typename: 'Mutation', unshareTweet },
  });
  return {
    act: viewerHasShared ? unshare : share,
    isBusy: sharing.loading || unsharing.loading,
    error: sharing.error ?? unsharing.error,
  };
}

function Actions({ tweet, isReplying, onReply }: ActionsProps) {
  const { likeCount, shareCount, replyCount, viewerHasLiked, viewerHasShared } = tweet;
  const liking = useLiking(tweet);
  const sharing = useSharing(tweet);
  const error = liking.error ?? sharing.error;
  return (
    <>
      <div className="actions">
        <Action icon="reply" name="Reply" count={replyCount} isOn={isReplying} act={onReply} />
        <Action
          icon="share"
          name="Share"
          count={shareCount}
          isOn={viewerHasShared}
          act={() => sharing.isBusy || void sharing.act().catch(() => undefined)}
        />
        <Action
          icon="like"
          name="Like"
          count={likeCount}
          isOn={viewerHasLiked}
          act={() => liking.isBusy || void liking.act().catch(() => undefined)}
        />
      </div>
      {error && (
        <p className="error" role="alert">
          {describeError(error)}
        </p>
      )}
    </>
  );
}

interface ActionProps {
  readonly icon: IconName;
  readonly name: string;
  readonly count: number;
  readonly isOn: boolean;
  act(): unknown;
}

function Action({ icon, name, count, isOn, act }: ActionProps) {
  return (
    <button
      type="button"
      className={`action ${icon}`}
      aria-pressed={isOn}
      aria-label={`${name}, ${count}`}
      onClick={act}
    >
      <Icon name={icon} />
      <span aria-hidden="true">{count === 0 ? '' : count.toLocaleString('en')}</span>
    </button>
  );
}
