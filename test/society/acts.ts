import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { MutedWordPlace, MuteScope } from '../../src/features/hidden/hidden.enums';
import { person, type Harness } from '../support/harness';
import { mutations, type Mutation, type Variables } from '../support/mutations';
import { Society, type MutedText, type Tweeted } from './model';
import type { Drawing } from './random';
import type { Round } from './surfaces';

const PEOPLE_OF_ROUND = 5;
/** What texts are made of; some words stand in others. */
const VOCABULARY = ['apple', 'River', '#stone', 'cloud', '#Apple', 'pineapple', 'stones'];
const MUTED = ['apple', 'RIVER', '#stone', 'stone', 'river apple', 'cloud #stone', 'grapes'];
/** Conversations stay about the newest tweets, so that they get deep. */
const TALKED_ABOUT = 15;

const shareTweet = 'mutation ($id: ID!) { shareTweet(id: $id) { share { id tweetId content } } }';

interface Answered {
  readonly codes: readonly string[];
  /** What the mutation gave back, by the names of its fields. */
  readonly payload: Readonly<Record<string, { readonly id: string; readonly tweetId: string }>> | null;
}

/** Begins a round: some people who have done nothing. */
export async function beginRound(server: Harness, number: number): Promise<Round> {
  const first = 1000 * (number + 1);
  const people = Array.from({ length: PEOPLE_OF_ROUND }, (_, n) => String(first + n));
  const word = `round${String(number).padStart(3, '0')}`;
  const usernameOf = (userId: string) => `${word}p${Number(userId) - first}`;
  await server.store(people.map((id) => person(id, usernameOf(id))));
  return {
    ...{ society: new Society(people), word, usernameOf },
    ...{ began: new Date(), south: -60 + (number % 240) / 2 },
  };
}

/** Lets people do what is drawn, and keeps what must come of it. */
export class Actors {
  private readonly society: Society;

  constructor(
    private readonly server: Harness,
    private readonly round: Round,
    private readonly drawing: Drawing,
  ) {
    this.society = round.society;
  }

  /** Somebody does something. Every refusal must be one that the rules ask for, and no other. */
  async act(): Promise<void> {
    const { pick, random } = this.drawing;
    const who = pick(this.society.people);
    const other = pick(this.society.people.filter((one) => one !== who));
    const kind = random(100);
    if (kind < 26) return this.post(who);
    if (kind < 36) return this.like(who);
    if (kind < 46) return this.share(who);
    if (kind < 50) return this.delete(who);
    if (kind < 60) return this.follow(who, other);
    if (kind < 69) return this.block(who, other);
    if (kind < 79) return this.mute(who, other);
    if (kind < 88) return this.muteText(who);
    if (kind < 93) return this.bookmark(who);
    return this.write(who);
  }

  private async send(who: string, name: Mutation, variables: Variables, source = mutations[name]) {
    const { data, errors } = await this.server.query(source, variables, who);
    const payload = (data as Record<string, Answered['payload']> | null)?.[name] ?? null;
    return { codes: errors.map(({ extensions }) => extensions.code), payload } satisfies Answered;
  }

  /** Somebody does something to what one of some people has made: it is refused while there is a block between. */
  private async dare(
    who: string,
    others: readonly (string | undefined)[],
    name: Mutation,
    variables: Variables,
    source?: string,
  ): Promise<Answered['payload']> {
    const isRefused = others.some((other) => other !== undefined && this.society.isBlocked(who, other));
    const { codes, payload } = await this.send(who, name, variables, source);
    expect([name, who, variables, codes]).toEqual([name, who, variables, isRefused ? ['FORBIDDEN'] : []]);
    return isRefused ? null : payload;
  }

  /** A tweet that people talk about. */
  private talkedAbout(): Tweeted | undefined {
    const alive = this.society.tweets.filter(({ isDeleted }) => !isDeleted);
    return this.drawing.pickAny(alive.slice(-TALKED_ABOUT));
  }

  private async post(who: string) {
    const { random, pick } = this.drawing;
    const { word, south } = this.round;
    const [named, other] = [
      random(3) > 0 ? this.talkedAbout() : undefined,
      random(3) === 0 ? this.talkedAbout() : undefined,
    ];
    const content = [`#${word}`, ...Array.from({ length: random(1, 4) }, () => pick(VOCABULARY))].join(' ');
    const hasPlace = random(2) === 0;
    const input = {
      content,
      ...(named && { inReplyTo: named.id }),
      ...(other && { quotes: other.id }),
      ...(hasPlace && { location: { latitude: south + 0.2, longitude: 10.5 } }),
    };
    // Whoever answers or quotes a share means its original.
    const [parent, quoted] = [named?.shared ?? named ?? null, other?.shared ?? other ?? null];
    const payload = await this.dare(who, [parent?.author, quoted?.author], 'createTweet', { input });
    const tweet = payload?.['tweet'];
    if (tweet) this.add({ ...tweet, author: who, content, parent, quoted, shared: null, hasPlace });
  }

  private add(tweet: Omit<Tweeted, 'likes' | 'isDeleted'>) {
    const { id, tweetId, author, content, parent, quoted, shared, hasPlace } = tweet;
    const made = { id, tweetId, author, content, parent, quoted, shared, hasPlace };
    this.society.tweets.push({ ...made, likes: new Set(), isDeleted: false });
  }

  private async like(who: string) {
    const tweet = this.talkedAbout();
    const original = tweet?.shared ?? tweet;
    if (tweet === undefined || original === undefined) return;
    if (original.likes.has(who)) {
      await this.dare(who, [], 'unlikeTweet', { id: tweet.id });
      original.likes.delete(who);
    } else if (await this.dare(who, [original.author], 'likeTweet', { id: tweet.id }))
      original.likes.add(who);
  }

  private async share(who: string) {
    const tweet = this.talkedAbout();
    const original = tweet?.shared ?? tweet;
    if (tweet === undefined || original === undefined) return;
    const share = this.society.tweets.find(
      ({ shared, author, isDeleted }) => shared === original && author === who && !isDeleted,
    );
    if (share) {
      await this.dare(who, [], 'unshareTweet', { id: tweet.id });
      this.society.delete(share);
      return;
    }
    const payload = await this.dare(who, [original.author], 'shareTweet', { id: tweet.id }, shareTweet);
    const made = payload?.['share'];
    const { content } = original;
    const none = { parent: null, quoted: null, hasPlace: false };
    if (made) this.add({ ...made, ...none, author: who, content, shared: original });
  }

  private async delete(who: string) {
    const own = this.society.tweets.filter((one) => one.author === who && !one.isDeleted && !one.shared);
    const tweet = this.drawing.pickAny(own.slice(-TALKED_ABOUT));
    if (tweet === undefined) return;
    await this.dare(who, [], 'deleteTweet', { id: tweet.id });
    this.society.delete(tweet);
  }

  private async follow(who: string, other: string) {
    const [pair, id] = [`${who} ${other}`, encodeNodeId('User', other)];
    if (this.society.follows.has(pair) && this.drawing.random(3) === 0) {
      await this.dare(who, [], 'unfollowUser', { id });
      this.society.follows.delete(pair);
    } else if (await this.dare(who, [other], 'followUser', { id })) this.society.follows.add(pair);
  }

  private async block(who: string, other: string) {
    const [pair, id] = [`${who} ${other}`, encodeNodeId('User', other)];
    if (this.society.blocks.has(pair)) {
      await this.dare(who, [], 'unblockUser', { id });
      this.society.blocks.delete(pair);
    } else {
      await this.dare(who, [], 'blockUser', { id });
      this.society.block(who, other);
    }
  }

  private async mute(who: string, other: string) {
    const { random, some } = this.drawing;
    const [pair, id] = [`${who} ${other}`, encodeNodeId('User', other)];
    if (this.society.mutes.has(pair) && random(3) > 0) {
      await this.dare(who, [], 'unmuteUser', { id });
      this.society.mutes.delete(pair);
      return;
    }
    const chosen = some(Object.values(MuteScope));
    const until = random(3) === 0 ? new Date(Date.now() + 86_400_000) : null;
    await this.dare(who, [], 'muteUser', { id, until, scope: chosen.length === 0 ? null : chosen });
    this.society.mutes.set(pair, chosen.length === 0 ? Object.values(MuteScope) : chosen);
  }

  private async muteText(who: string) {
    const { random, pick, pickAny, some } = this.drawing;
    const { mutedTexts } = this.society;
    const own = mutedTexts.get(who) ?? new Map<string, MutedText>();
    mutedTexts.set(who, own);
    const old = random(2) === 0 ? pickAny([...own.values()]) : undefined;
    if (old !== undefined) {
      await this.dare(who, [], 'unmuteWords', { id: old.id });
      own.delete(old.id);
      return;
    }
    const chosen = some(Object.values(MutedWordPlace));
    const input = {
      text: pick(MUTED),
      exceptFollowed: random(3) === 0,
      where: chosen.length === 0 ? null : chosen,
    };
    const payload = await this.dare(who, [], 'muteWords', { input });
    const { id } = payload?.['mutedWord'] ?? { id: '' };
    own.set(id, { ...input, id, where: input.where ?? Object.values(MutedWordPlace) });
  }

  private async bookmark(who: string) {
    const { bookmarks } = this.society;
    const own = bookmarks.get(who) ?? new Set<Tweeted>();
    bookmarks.set(who, own);
    const old = this.drawing.random(3) === 0 ? this.drawing.pickAny([...own]) : undefined;
    const tweet = old ?? this.talkedAbout();
    if (tweet === undefined) return;
    if (old) {
      await this.dare(who, [], 'removeBookmark', { id: tweet.id });
      own.delete(old);
      return;
    }
    const original = tweet.shared ?? tweet;
    if (await this.dare(who, [original.author], 'bookmarkTweet', { id: tweet.id })) own.add(original);
  }

  private async write(who: string) {
    const { random, pickAny } = this.drawing;
    const { articles, comments } = this.society;
    const article = random(4) === 0 ? undefined : pickAny(articles);
    if (article === undefined) {
      const payload = await this.dare(who, [], 'publishArticle', {
        input: { title: 'News', body: 'It rains.' },
      });
      articles.push({ id: payload?.['article']?.id ?? '', author: who });
      return;
    }
    const input = { articleId: article.id, body: 'Indeed.' };
    const payload = await this.dare(who, [article.author], 'addComment', { input });
    if (payload) comments.push({ id: payload['comment']?.id ?? '', author: who, article });
  }
}
