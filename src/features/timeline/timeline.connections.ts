import type { Context } from '../../context';
import { sumOf } from '../../kit/cost/cost';
import type { Load } from '../../kit/reads/load';
import { connection, type Variant } from '../../kit/lists/connection-field';
import { connectMostLiked, mostLikedBase, mostLikedCost } from '../tweet/top-list';
import { topOfAuthor } from '../tweet/top-reading';
import { TweetOrder, TweetOrderArgs } from '../tweet/tweet-order';
import { byOrder, growthOf } from '../tweet/tweet-reads';
import { topTweetsByAuthor, type TweetRow } from '../tweet/tweet.table';
import { onlyOwner } from '../viewer/only-owner';
import { followedBy, timeline, openTimeline } from './timeline';
import { BASE_OF_MOST_LIKED, MOST_LIKED_SOURCES, MOST_LIKED_TABLES } from './timeline-reads';

/** A home timeline, most liked first. */
const mostLiked: Variant<TweetRow, Context, TweetOrderArgs> = {
  args: TweetOrderArgs,
  reads: (newest) =>
    byOrder(newest, MOST_LIKED_TABLES, (args) => sumOf([mostLikedBase(args), BASE_OF_MOST_LIKED])),
  page(context, userId, args) {
    if (args.order === TweetOrder.NEWEST) return undefined;
    const { timelineSince, mergedTimelines } = context;
    const prepare = async () => ({
      sources: {
        name: `${topTweetsByAuthor.name} of whom ${userId} follows`,
        owners: (limited: Load) => followedBy(limited, userId),
        top: topOfAuthor,
        newest: async (limited: Load) => openTimeline(limited, userId, timelineSince, mergedTimelines),
        tweetOf: async (_load: Load, row: TweetRow) => row,
        isVisible: ({ createdAt }: TweetRow) => timelineSince === null || createdAt >= timelineSince,
      },
    });
    const max = sumOf([mostLikedCost(args), MOST_LIKED_SOURCES]);
    const from = sumOf([mostLikedBase(args), BASE_OF_MOST_LIKED]);
    return connectMostLiked(
      context,
      'TIMELINE',
      args,
      prepare,
      max,
      growthOf(context, 'User.timeline', from),
    );
  },
};

/** The fields that show timelines. */
export const timelineConnections = [
  connection(timeline, 'timeline', {
    description:
      'What the accounts that the user follows have posted. Only the user and services can read it; others get `FORBIDDEN`.',
    only: onlyOwner('Only its user and services can read a timeline.'),
    place: 'TIMELINE',
    variant: mostLiked,
  }),
];
