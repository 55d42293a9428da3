import { ArgsType, Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ForwardArgs } from '../../kit/input/page-args';
import { ConnectionOf } from '../../kit/lists/connection-types';
import { HiddenReason } from '../hidden/hidden.enums';
import { MutedWord } from '../hidden/sight/muted-word.type';
import { Tweet } from '../tweet/tweet.type';
import { ThreadOrder } from './tree';

registerEnumType(ThreadOrder, {
  name: 'ThreadOrder',
  description: 'The order of the replies to one tweet.',
  valuesConfig: {
    OLDEST: { description: 'By id, oldest first.' },
    NEWEST: { description: 'By id, newest first.' },
    MOST_LIKED: {
      description:
        'Most liked first, then newest first. Of a conversation with more than 1,000 replies, the likes of those nearest to the tweet count.',
    },
  },
});

/** The ways in which a thread shows tweets that are hidden from the viewer. */
export enum HiddenTweets {
  PLACEHOLDER = 'PLACEHOLDER',
  EXPAND = 'EXPAND',
}
registerEnumType(HiddenTweets, {
  name: 'HiddenTweets',
  description: 'What stands for tweets that are hidden from the viewer.',
  valuesConfig: {
    PLACEHOLDER: { description: 'An edge without its tweet.' },
    EXPAND: {
      description: 'The tweet, unless it was deleted or the viewer and its author block each other.',
    },
  },
});

/** The greatest depth of a thread. */
export const MAX_DEPTH = 20;
/** How many replies to one tweet a thread shows at most. */
export const MAX_PER_PARENT = 100;

/** The arguments of a thread. */
@ArgsType()
export class ThreadArgs extends ForwardArgs {
  @Field(() => ThreadOrder, {
    defaultValue: ThreadOrder.OLDEST,
    description: 'The order of the replies to one tweet.',
  })
  order: ThreadOrder;

  @Field(() => Boolean, {
    defaultValue: true,
    description:
      'Whether replies by the author of the tweet to their own tweets come first, so that a story in several tweets stays together.',
  })
  authorFirst: boolean;

  @Field(() => Int, { defaultValue: 6, description: 'How many levels below the tweet are shown: 1 to 20.' })
  depth: number;

  @Field(() => Int, { defaultValue: 10, description: 'How many replies to one tweet are shown: 1 to 100.' })
  perParent: number;

  @Field(() => HiddenTweets, {
    defaultValue: HiddenTweets.PLACEHOLDER,
    description: 'What stands for tweets that are hidden from the viewer.',
  })
  hidden: HiddenTweets;
}

/** The replies to a tweet that a thread does not show. */
@ObjectType({ simpleResolvers: true, description: 'The replies to a tweet that the thread does not show.' })
class MoreReplies {
  @Field(() => Int, { description: 'How many.' })
  count: number;

  @Field(() => String, {
    description: 'The cursor for `thread(after:)` of the same tweet, which goes on with them.',
  })
  cursor: string;
}

/** A tweet in a thread. */
@ObjectType({ simpleResolvers: true })
class ThreadEdge {
  @Field(() => String, { description: 'The position of the tweet in this thread, for `after`.' })
  cursor: string;

  @Field(() => String, { description: 'The id of the tweet, which is there also for a hidden one.' })
  tweetId: string;

  @Field(() => Tweet, {
    nullable: true,
    description: 'The tweet; null where `hiddenReason` says why it is hidden.',
  })
  node: Tweet | null;

  @Field(() => HiddenReason, {
    nullable: true,
    description: 'Why the tweet is hidden from the viewer; also of one that `EXPAND` shows.',
  })
  hiddenReason: HiddenReason | null;

  @Field(() => MutedWord, {
    nullable: true,
    description: "The viewer's muted word that hides the tweet, if that is the reason.",
  })
  mutedWord: MutedWord | null;

  @Field(() => Int, {
    description: 'How many levels it is below the tweet whose thread this is, which has 0.',
  })
  depth: number;

  @Field(() => MoreReplies, {
    nullable: true,
    description: 'Its replies that are not shown; null if all are.',
  })
  moreReplies: MoreReplies | null;
}

/** A page of a thread. */
@ObjectType({ simpleResolvers: true })
export class ThreadConnection extends ConnectionOf(() => ThreadEdge) {}
