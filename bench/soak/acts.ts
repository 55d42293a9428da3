import { randomFrom, type Random } from '../../src/kit/base/random';
import { encodeNodeId, idIn } from '../../src/kit/graphql/global-id';
import type { PlainCall } from '../abuse/plain-load';
import { graphql, type Outcome } from '../abuse/send';
import { likeSource } from '../compare-likes';
import { words } from '../network';
import { bodyOf, viewedTimeline } from '../queries';
import { questionNamed } from '../society/questions';
import type { Headers } from '../stage';
import type { Ledger } from './ledger';
import type { People } from './people';

/** The hashtag of all that is posted. */
export const HASHTAG = 'soak';
/** How many of the newest tweets are liked and replied to. */
const NEWEST = 500;
/** Words that many tweets have. */
const COMMON = Array.from({ length: 300 }, (_, n) => `word${n.toString(36)}`);

const POST = 'mutation ($input: CreateTweetInput!) { createTweet(input: $input) { tweet { id } } }';
const SEARCH =
  'query ($words: [String!]!, $order: TweetOrder!) { searchTweets(words: $words, order: $order, first: 25) { nodes { tweetId content createdAt } } }';
const FOLLOW = 'mutation ($id: ID!) { followUser(id: $id) { __typename } }';
const UNFOLLOW = 'mutation ($id: ID!) { unfollowUser(id: $id) { __typename } }';

/** What people do, and how much of a hundred acts each is. */
const SHARES = {
  timeline: 45,
  notifications: 8,
  unread: 4,
  search: 8,
  post: 10,
  reply: 6,
  like: 14,
  follow: 5,
} as const;

/** The kinds of acts. */
export type ActKind = keyof typeof SHARES;

/** Whether it changes something. */
export function isWrite(kind: ActKind): boolean {
  return ['post', 'reply', 'like', 'follow'].includes(kind);
}

/** What acts need. */
interface ActsOptions {
  readonly people: People;
  readonly headers: ReadonlyMap<string, Headers>;
  readonly ports: readonly number[];
  readonly ledger: Ledger;
  /** Told the outcome of each. */
  readonly answered: (kind: ActKind, outcome: Outcome) => void;
}

/** Creates what gives the next act, to one server after another. */
export function createActs({ people, headers, ports, ledger, answered }: ActsOptions): () => PlainCall {
  const random = randomFrom(23);
  const newest: { readonly tweetId: string; readonly authorId: string }[] = [];
  /** The numbers of the pairs of which one follows the other now. */
  const following = new Set<number>();
  let sent = 0;
  let changed = 0;
  let posted = 0;
  const someone = () => pick(random, people.readers);
  const makers: Readonly<Record<ActKind, () => Act>> = {
    timeline() {
      const by = someone();
      return { by, body: bodyOf(viewedTimeline, by) };
    },
    notifications: () => ({
      by: random() < 0.5 ? pick(random, people.posters) : someone(),
      body: graphql(questionNamed('notifications with actors').source),
    }),
    unread: () => ({ by: someone(), body: graphql(questionNamed('unreadNotifications').source) }),
    search: () => ({
      by: someone(),
      body: graphql(SEARCH, {
        words: [common(random), ...(random() < 0.5 ? [common(random)] : [])],
        order: random() < 0.5 ? 'NEWEST' : 'MOST_LIKED',
      }),
    }),
    post: () => write(pick(random, people.posters), null),
    reply() {
      const to = pick(random, newest);
      return to === undefined ? makers.post() : write(someone(), to);
    },
    like() {
      const to = pick(random, newest);
      if (to === undefined) return makers.post();
      return { by: someone(), body: graphql(likeSource, { id: encodeNodeId('Tweet', to.tweetId) }) };
    },
    follow() {
      const n = changed++ % people.pairs.length;
      const [by, followee] = people.pairs[n] ?? ['', ''];
      const id = encodeNodeId('User', followee);
      const isFollowing = following.delete(n);
      if (!isFollowing) following.add(n);
      return { by, body: graphql(isFollowing ? UNFOLLOW : FOLLOW, { id }) };
    },
  };

  /** A tweet or, if there is one that it replies to, a reply. */
  function write(authorId: string, to: (typeof newest)[number] | null): Act {
    const content = `${Array.from({ length: 6 }, () => common(random)).join(' ')} ${words(random).slice(0, 11)} #${HASHTAG} ${posted++}`;
    const input = { content, language: 'en', ...(to && { inReplyTo: encodeNodeId('Tweet', to.tweetId) }) };
    const sentAt = performance.now();
    return {
      by: authorId,
      body: graphql(POST, { input }),
      done(text) {
        const { data } = JSON.parse(text) as { data: { createTweet: { tweet: { id: string } } } };
        const tweetId = idIn('Tweet', data.createTweet.tweet.id);
        ledger.posted({ tweetId, authorId, repliedTo: to?.authorId ?? null, sentAt });
        if (to === null && newest.push({ tweetId, authorId }) > NEWEST) newest.shift();
      },
    };
  }

  return () => {
    const kind = draw(random);
    const { by, body, done } = makers[kind]();
    return {
      port: ports[sent++ % ports.length] ?? 0,
      headers: headers.get(by) ?? {},
      body,
      answered(outcome) {
        if (outcome.status === 200 && outcome.code === null) done?.(outcome.text);
        answered(kind, outcome);
      },
    };
  };
}

/** An act of a person. */
interface Act {
  readonly by: string;
  readonly body: string;
  /** Called with an answer without errors. */
  readonly done?: (this: void, text: string) => void;
}

function draw(random: Random): ActKind {
  let left = random() * 100;
  for (const [kind, share] of Object.entries(SHARES) as [ActKind, number][]) {
    left -= share;
    if (left < 0) return kind;
  }
  return 'timeline';
}

/** A word, of which the first are much more frequent. */
function common(random: Random): string {
  return COMMON[Math.floor(COMMON.length * random() ** 3)] ?? '';
}

function pick(random: Random, things: readonly string[]): string;
function pick<T>(random: Random, things: readonly T[]): T | undefined;
function pick<T>(random: Random, things: readonly T[]): T | undefined {
  return things[Math.floor(random() * things.length)];
}
