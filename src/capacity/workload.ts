import { MAX_RUNS_PER_SECOND } from '../kit/base/pace';

/** The load that a cluster is to carry, and the machines that it consists of. */
export interface Workload {
  /** Posts in a second: tweets, replies, quotes and shares. */
  readonly tweets: number;
  readonly people: number;
  /** Cassandra nodes. */
  readonly nodes: number;
  /** Server processes. */
  readonly servers: number;
  /** The heap of a server in bytes: `--max-old-space-size`. */
  readonly heap: number;
  /** How many nodes have a row. */
  readonly replicas: number;
  /** The number of timelines to which a post is pushed, on average. */
  readonly pushed: number;
  /** The number of days for which rows that are kept for ever have been written. */
  readonly days: number;
  /** How many hours there are between two rankings. */
  readonly rankingHours: number;
}

/** The workload of the project's aim: 10,000 posts a second. */
export const AIM: Workload = {
  ...{
    tweets: 10_000,
    people: 1e8,
    nodes: 100,
    servers: 100,
    heap: 9e9,
    replicas: 3,
    pushed: 150,
    days: 365,
  },
  // Rankings of as many followers as this take some hours.
  rankingHours: 24,
};

/** How many of each act come with a post. */
const PER_TWEET = {
  tweet: 1,
  share: 0.2,
  reply: 0.3,
  quote: 0.05,
  deletion: 0.02,
  like: 3,
  follow: 0.1,
  bookmark: 0.05,
  block: 0.005,
  hashtagUse: 0.3,
  locatedTweet: 0.02,
  keyedPost: 0.5,
  quotaClaim: 0.02,
  article: 0.001,
  comment: 0.002,
};

/** How many likes bring their tweet to another magnitude, by which it is listed, and how many people a post mentions. */
const LISTED_AGAIN = 0.3;
const MENTIONS = 0.2;
/** How many seconds it took all people to sign up. */
const SIGN_UP_SECONDS = 5 * 365 * 86_400;
/** A server counts new tweets in groups, this many in a second, in which so many languages occur. */
const GROUPS_PER_SECOND = 10;
const LANGUAGES_OF_GROUP = 5;

/** Returns how often each act is done in a second. The acts of tables are named in their declarations. */
export function actsPerSecond(workload: Workload): Readonly<Record<string, number>> {
  const { tweets, people, servers, pushed, rankingHours } = workload;
  const acts = Object.fromEntries(Object.entries(PER_TWEET).map(([act, ratio]) => [act, ratio * tweets]));
  const sum = (...names: readonly (keyof typeof PER_TWEET)[]) =>
    names.reduce((all, name) => all + PER_TWEET[name] * tweets, 0);
  const signUp = people / SIGN_UP_SECONDS;
  const countedGroup = Math.min(tweets, GROUPS_PER_SECOND * servers, MAX_RUNS_PER_SECOND);
  return {
    ...acts,
    push: pushed * tweets,
    // Shares are in no index.
    indexed: (1 - PER_TWEET.share) * tweets,
    likedEntry: LISTED_AGAIN * PER_TWEET.like * tweets,
    notice: sum('like', 'share', 'reply', 'quote', 'follow', 'comment') + MENTIONS * tweets,
    // A share has a task of its own beside that of its post.
    task: sum('tweet', 'share', 'like', 'follow', 'bookmark', 'block', 'deletion', 'article', 'comment'),
    countedGroup,
    // Each group is summed in each of its languages.
    frequencySum: Math.min(tweets, LANGUAGES_OF_GROUP * countedGroup),
    signUp,
    leaving: 0.1 * signUp,
    export: 0.01 * signUp,
    moderation: 0.01 * signUp,
    ranking: 1 / (rankingHours * 3600),
    rankedFollower: rankedFollowers(workload) / (rankingHours * 3600),
    server: servers,
    // Imports run before a deployment is as busy as this.
    importedTweet: 0,
  };
}

/** The part of all such acts in a second that may be done to one person or thing: half a million likes of one tweet in half an hour. */
const BUSIEST_PART = 0.01;
/** The part of all people who may ever do an act to the same person or thing. */
const REACHES: Readonly<Record<string, number>> = {
  ...{ follow: 0.1, notice: 0.1, like: 0.05, share: 0.01, reply: 0.002, quote: 0.002, comment: 0.0001 },
};
/** The most acts of one person: `RATE_MUTATIONS_PER_MINUTE`, and what somebody does who does much every day. */
const ACTS_OF_PERSON_PER_SECOND = 10;
export const ACTS_OF_PERSON_PER_DAY = 1000;

/** How often an act is done by one person in a second, at most. */
export function rateOfPerson(rate: number): number {
  return Math.min(rate, ACTS_OF_PERSON_PER_SECOND);
}

/** Returns how often an act is done to one person or thing in a second, at most. If others cannot do it, its owner does. */
export function rateOfSubject(act: string, rate: number): number {
  return act in REACHES ? rate * BUSIEST_PART : rateOfPerson(rate);
}

/** Returns how often an act was done to the same person or thing, at most: by so many people or, if others cannot do it, by its owner. */
export function reachOf(act: string, { people, days }: Workload): number {
  const reach = REACHES[act];
  return reach === undefined ? ACTS_OF_PERSON_PER_DAY * days : reach * people;
}

/** How many accounts a ranking has. */
const RANKED = 100;

/** How many followers the accounts of a ranking have together. */
function rankedFollowers(workload: Workload): number {
  return RANKED * reachOf('follow', workload);
}
