import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context, HiddenWord } from '../../../context';
import { Reads, rowsOf, sharedByObject } from '../../../kit/cost/reads';
import { cachedRelations, relations } from '../../follow/follow.table';
import { joinPair } from '../../follow/relation';
import { deletedTweets, tweets, type StoredTweet } from '../../tweet/tweet.table';
import { Tweet } from '../../tweet/tweet.type';
import { tweetById } from '../../tweet/visible';
import { blockIn } from '../../follow/block';
import { HiddenReason } from '../hidden.enums';
import { SIGHT_READS } from '../hidden-reads';
import { howHidden, seenTweet } from '../hiding';
import { MutedWord, shownWord } from './muted-word.type';

/** The reads of the quoted tweet, and of whether its author blocks the quoting one. */
const QUOTED = [
  ...[rowsOf(tweets), rowsOf(deletedTweets), rowsOf(relations)].map(sharedByObject),
  ...SIGHT_READS,
];

/** The tweet that a tweet quotes, or why it is not shown. */
@Resolver(() => Tweet)
export class QuotedResolver {
  @Reads(...QUOTED)
  @FieldResolver(() => Tweet, {
    nullable: true,
    description: 'The tweet it quotes; null when there is none, it is not stored here, or it is hidden.',
  })
  async quotedTweet(@Root() tweet: Tweet, @Ctx() context: Context) {
    const { quoted, reason } = await readQuoted(context, tweet);
    return reason === null ? quoted : null;
  }

  @Reads(...QUOTED)
  @FieldResolver(() => HiddenReason, {
    nullable: true,
    description: 'Why `quotedTweet` is null, if it was there. A block may be between the two authors.',
  })
  async quotedTweetHiddenReason(@Root() tweet: Tweet, @Ctx() context: Context) {
    return (await readQuoted(context, tweet)).reason;
  }

  @Reads(...QUOTED)
  @FieldResolver(() => MutedWord, {
    nullable: true,
    description: "The viewer's muted word that hides `quotedTweet`, if that is the reason.",
  })
  async quotedTweetMutedWord(@Root() tweet: Tweet, @Ctx() context: Context) {
    const { word } = await readQuoted(context, tweet);
    return word && shownWord(word);
  }
}

interface Quoted {
  readonly quoted: StoredTweet | null;
  readonly reason: HiddenReason | null;
  readonly word: HiddenWord | null;
}

/** The tweet that another one quotes, and why it is hidden from the viewer. */
async function readQuoted(context: Context, { quotedTweetId, authorId }: Tweet): Promise<Quoted> {
  const { load } = context;
  if (quotedTweetId === null) return { quoted: null, reason: null, word: null };
  const quoted = await tweetById(load, quotedTweetId);
  if (quoted === null) {
    // It is still there if its author is suspended or leaves.
    const gone =
      (await load(tweets.get, { tweetId: quotedTweetId })) ??
      (await load(deletedTweets.get, { tweetId: quotedTweetId }));
    return { quoted, reason: gone && HiddenReason.DELETED, word: null };
  }
  const own = await howHidden(context, seenTweet(quoted), 'THREAD');
  if (own !== null) return { quoted, ...own };
  if (quoted.authorId === authorId) return { quoted, reason: null, word: null };
  // If the quoted author blocks the quoting author, nobody sees the two tweets together.
  const relation = await load(cachedRelations, { pair: joinPair(quoted.authorId, authorId) });
  const isBlocked = blockIn(relation, quoted.authorId, authorId)?.blocks === true;
  return { quoted, reason: isBlocked ? HiddenReason.BLOCKED : null, word: null };
}
