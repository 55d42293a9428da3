import type { Context, LinkedTweet, Sight } from '../../context';
import type { NodeTypes } from '../../kit/graphql/node-resolver';
import type { Hiding } from '../../kit/lists/node';
import { SIGHT_READS } from './hidden-reads';
import { bareIfHidden } from './bare-user';
import { HiddenReason } from './hidden.enums';
import { findMutedWord, mayShow, textsOf, type SeenPlace, type Seen, type SeenTweet } from './may-show';

/** The parts of a request's context that finding out what is hidden needs. */
export type HidingContext = Pick<Context, 'load' | 'sight' | 'reserve'>;

/** Creates the rule that hides objects of a type from the viewer. `seenOf` says what an object is. */
export function hidingOf<R>(seenOf: (object: R) => Seen): Hiding<R, HidingContext> {
  return {
    reads: SIGHT_READS,
    open(context, given) {
      const place = given as SeenPlace;
      const reading = context.sight();
      // The page may fail before it comes to ask.
      reading.catch(() => undefined);
      let sight: Sight | null = null;
      const links = new Links(context, place);
      return {
        async learn(objects) {
          sight = await reading;
          if (sight !== null) await links.learn(sight, objects.map(seenOf));
        },
        hides: (object) => mayShow(sight, links.with(seenOf(object)), place) !== null,
      };
    },
  };
}

/** The tweets that others share, answer or quote, as far as a viewer's sight asks for them. */
export class Links {
  private readonly found = new Map<string, LinkedTweet | null>();

  constructor(
    private readonly context: HidingContext,
    private readonly place: SeenPlace,
  ) {}

  /** Whether answers to somebody are hidden here, too. */
  private get hidesAnswers(): boolean {
    return this.place === 'TIMELINE' || this.place === 'SEARCH';
  }

  /** Reads what is needed to decide about some objects: the tweets that they name, then what `Sight.learn` reads of their authors. */
  async learn(sight: Sight, seen: readonly Seen[]): Promise<void> {
    const [hidesAnswers, hasWords] = [this.hidesAnswers && sight.hasBlocks, sight.hasWordsAt(this.place)];
    const tweets = seen.flatMap(({ authorId, tweet }) =>
      tweet === undefined || authorId === sight.viewerId ? [] : [tweet],
    );
    const namedBy = (some: readonly Linking[]) =>
      some.flatMap(({ inReplyToId, quotedTweetId }) => [
        hidesAnswers ? inReplyToId : null,
        hasWords ? quotedTweetId : null,
      ]);
    const originals = tweets
      .filter((tweet) => hidesAnswers || hasWords || isMutedInPart(sight, tweet))
      .map(({ sharedTweetId }) => sharedTweetId);
    await this.read(sight, [...originals, ...namedBy(tweets)]);
    // The shared tweets may themselves answer or quote something.
    await this.read(sight, namedBy(originals.flatMap((tweetId) => this.get(tweetId) ?? [])));
    if (hasWords)
      await sight.compare(
        seen.flatMap((one) => (one.authorId === sight.viewerId ? [] : textsOf(this.with(one)))),
      );
    if (!sight.mustLearnAt(this.place)) return;
    const authors = new Set(seen.flatMap((one) => authorsOf(this.with(one))));
    await this.context.reserve(
      { field: '', table: 'relations' },
      { reads: authors.size, rows: authors.size },
    );
    await sight.learn(authors);
  }

  /**
   * Returns an object with the tweets that it shares, answers and quotes, if they were read. The answered and the quoted tweet of a share
   * are those of the tweet that it shares.
   */
  with(seen: Seen): Seen {
    const { tweet } = seen;
    if (tweet === undefined || this.found.size === 0) return seen;
    const shared = this.get(tweet.sharedTweetId);
    const { inReplyToId, quotedTweetId } = shared ?? tweet;
    const answered = this.hidesAnswers ? this.get(inReplyToId) : null;
    return { ...seen, shared, answeredAuthorId: answered?.authorId ?? null, quoted: this.get(quotedTweetId) };
  }

  private get(tweetId: string | null): LinkedTweet | null {
    return (tweetId === null ? null : this.found.get(tweetId)) ?? null;
  }

  private async read(sight: Sight, named: readonly (string | null)[]): Promise<void> {
    const missing = named.flatMap((tweetId) =>
      tweetId === null || this.found.has(tweetId) ? [] : [tweetId],
    );
    const tweetIds = [...new Set(missing)];
    if (tweetIds.length === 0) return;
    const cost = { reads: tweetIds.length, rows: tweetIds.length };
    await this.context.reserve({ field: '', table: 'tweets' }, cost);
    const read = await sight.readTweets(tweetIds);
    tweetIds.forEach((tweetId, index) => this.found.set(tweetId, read[index] ?? null));
  }
}

/** The ids of other tweets in a tweet. */
type Linking = Pick<SeenTweet, 'inReplyToId' | 'quotedTweetId'>;

/** Whether a tweet shares one of somebody who is muted for some of what he posts. */
function isMutedInPart(sight: Sight, { sharedAuthorId }: SeenTweet): boolean {
  return sharedAuthorId != null && sight.muteOf(sharedAuthorId)?.scope != null;
}

/** The users of whom a decision depends. */
function authorsOf({ authorId, tweet, answeredAuthorId }: Seen): string[] {
  return [authorId, tweet?.sharedAuthorId, answeredAuthorId].flatMap((userId) => userId ?? []);
}

/** Why an object may not be shown to the viewer; null if it may. */
export async function whyHidden(context: HidingContext, seen: Seen, place: SeenPlace) {
  return (await howHidden(context, seen, place))?.reason ?? null;
}

/** Why an object may not be shown to the viewer, and which muted word hides it, if one does; null if it may be shown. */
export async function howHidden(context: HidingContext, seen: Seen, place: SeenPlace) {
  if (context.sight.isNobody) return null;
  const sight = await context.sight();
  if (sight === null) return null;
  const links = new Links(context, place);
  await links.learn(sight, [seen]);
  const linked = links.with(seen);
  const reason = mayShow(sight, linked, place);
  return reason && { reason, word: wordOf(sight, linked, place, reason) };
}

/** The muted word that hides an object, if that is why it is hidden. */
export function wordOf(sight: Sight | null, seen: Seen, place: SeenPlace, reason: HiddenReason | null) {
  return sight !== null && reason === HiddenReason.MUTED_WORD ? findMutedWord(sight, seen, place) : null;
}

type MadeTweet = SeenTweet & { readonly authorId: string };

/** A tweet, as `mayShow` sees it. */
export function seenTweet(tweet: MadeTweet): Seen {
  return { kind: 'tweet', authorId: tweet.authorId, tweet };
}

/** The rule that hides tweets. */
export const tweetHiding = hidingOf(seenTweet);

/** A tweet, unless it is hidden from the viewer. */
export async function seeTweet<T extends MadeTweet>(
  context: HidingContext,
  read: T | null | Promise<T | null>,
  place: SeenPlace,
): Promise<T | null> {
  const tweet = await read;
  return tweet !== null && (await whyHidden(context, seenTweet(tweet), place)) === null ? tweet : null;
}

/** An article or a comment, unless it is hidden from the viewer. */
export async function seeWriting<T extends { readonly authorId: string }>(
  context: HidingContext,
  kind: 'article' | 'comment',
  read: T | null | Promise<T | null>,
): Promise<T | null> {
  const written = await read;
  if (written === null) return null;
  return (await whyHidden(context, { kind, authorId: written.authorId }, 'DIRECT')) === null ? written : null;
}

/**
 * Reads a user who is asked for. If there is a block between the user and the viewer, little more than the name is shown, and of a hidden
 * user nothing but the id.
 */
export async function seeUser<T extends Profile>(context: HidingContext, read: T | Promise<T>): Promise<T>;
export async function seeUser<T extends Profile>(
  context: HidingContext,
  read: T | null | Promise<T | null>,
): Promise<T | null>;
export async function seeUser<T extends Profile>(
  context: HidingContext,
  read: T | null | Promise<T | null>,
): Promise<T | null> {
  const user = await read;
  if (user === null || (await whyHidden(context, { kind: 'user', authorId: user.userId }, 'LIST')) === null)
    return user && bareIfHidden(context.load, user);
  return bareIfHidden(context.load, { ...user, description: null, twitterAccount: null });
}

interface Profile {
  readonly userId: string;
  readonly description: string | null;
  readonly twitterAccount: string | null;
}

type ShownTo = NonNullable<NodeTypes[string]['shown']>;

/** Declares how `node` and `nodes` show objects of a type. */
export function shownBy(to: ShownTo['to']): ShownTo {
  return { reads: SIGHT_READS, to };
}
