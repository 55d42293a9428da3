import pino from 'pino';
import { readConfig } from '../src/config';
import { storeNews } from '../src/import/store/news';
import { createStore } from '../src/import/store/store';
import { createBulkWriter } from '../src/kit/writes/bulk';
import type { Database } from '../src/kit/cassandra/database';
import { writeOf } from '../src/kit/cassandra/write';
import { openDatabase } from '../src/open';
import { OWN_ISSUER, signToken } from '../src/features/viewer/token';
import { usersByIdentity } from '../src/features/viewer/viewer.table';
import { startChild } from './child';
import { say } from './measure';
import { randomFrom } from '../src/kit/base/random';
import { generateTweets, type Network } from './network';
import { generateNews } from './news/generate';
import { storePeople } from './pages/fill';
import { fillTweets } from './tweets/fill';
import type { GenerateOptions } from './tweets/generate';
import { unspacedText } from './tweets/unspaced';

/** How many tweets there are to discover by default. */
const TWEETS = 50_000;
/** How many tweets there are in a script without spaces by default. */
const UNSPACED_TWEETS = 20_000;
/** About how many tweets all kinds of people have by default. */
const PEOPLES_TWEETS = 40_000;
/** How many authors have tweets in the small keyspace, and how many each has: a page and a few more. */
const SMALL = { most: 300, each: 30 };
/** The seed of the tweets to discover; another comparison uses it to generate the same tweets. */
export const SEED = 88;
const SECRET = 'that of the bench';
const AUDIENCE = 'the bench';

/** Flags of a process that imports, as `npm run import` has them. */
export const importing = ['--max-semi-space-size=64', '--max-old-space-size=600'];
/** Flags of a process that serves, as `npm start` has them. */
export const serving = ['--max-semi-space-size=64', '--max-old-space-size=1500'];

/** What the comparisons of a run share: the Cassandra, the network, the options and the filled keyspaces. */
export interface Stage {
  /** `host:port` of the Cassandra; of each node, with commas between them, if there are several. */
  readonly contactPoint: string;
  /** The folders of its nodes. */
  readonly nodeFolders: readonly string[];
  readonly network: Network;
  /** Whether rounds are short and few, to check that everything works and not for figures. */
  readonly brief: boolean;
  /** How many tweets to generate; undefined for the default. */
  readonly tweets: number | undefined;
  /** Only attacks and questions to PostgreSQL whose names contain this text are run. */
  readonly only: string;
  /** A keyspace that is filled already, to ask for pages of; undefined to generate one. */
  readonly given: string | undefined;
  /** How many servers to go up to for scale; undefined for the default. */
  readonly servers: number | undefined;
  /** For how many minutes to soak two servers in acts, and how many acts a second; without minutes, answers a second are measured. */
  readonly soak: { readonly minutes: number | undefined; readonly rate: number };
  /** A keyspace with the network and tweets, filled by the first call. */
  filled(): Promise<Filled>;
  /** A keyspace with a small part of the network and its tweets, which even a ring on one machine stores in a minute; filled by the first call. */
  small(): Promise<Small>;
  /** A keyspace with generated tweets to discover, filled by the first call; the largest that was measured for growth, if any was. */
  discoverable(): Promise<Discoverable>;
  /** The same with texts in a script without spaces. */
  unspaced(): Promise<Discoverable>;
  /** Lets the comparisons after this discover the tweets of a keyspace that is filled already. */
  useForDiscovery(filled: Discoverable): void;
  /** The given keyspace, or one with all kinds of people, filled by the first call. */
  peopled(): Promise<string>;
}

/** A keyspace with tweets to discover. */
export interface Discoverable {
  readonly keyspace: string;
  readonly tweets: number;
  /** The moment of the last tweet. */
  readonly end: Date;
}

/** A keyspace with a network, tweets, articles and comments. */
interface Filled {
  readonly keyspace: string;
  /** Users with a timeline of at least a page, and the authors of its tweets. */
  readonly readers: readonly string[];
  readonly authors: readonly string[];
  readonly tweetIds: readonly string[];
  /** The authors of articles, and the articles. */
  readonly writers: readonly string[];
  readonly articles: readonly string[];
}

/** The same without articles and comments. */
export interface Small extends Pick<Filled, 'keyspace' | 'readers' | 'authors'> {
  /** All follows that there are: those of the authors. */
  readonly edges: Network['edges'];
}

/** Creates the stage of a run. */
export function createStage(setting: Setting): Stage {
  const { contactPoint, network, brief, tweets, given } = setting;
  let filled: Promise<Filled> | undefined;
  let small: Promise<Small> | undefined;
  let discoverable: Promise<Discoverable> | undefined;
  let peopled: Promise<string> | undefined;
  return {
    ...setting,
    filled: () => (filled ??= fill(contactPoint, network)),
    small: () => (small ??= fillSmall(contactPoint, network)),
    discoverable: () => (discoverable ??= fillDiscoverable(contactPoint, tweets ?? (brief ? 2000 : TWEETS))),
    unspaced: () =>
      fillDiscoverable(contactPoint, tweets ?? (brief ? 2000 : UNSPACED_TWEETS), 'unspaced', unspacedText),
    useForDiscovery(filled) {
      discoverable = Promise.resolve(filled);
    },
    peopled: () =>
      (peopled ??=
        given === undefined
          ? fillPeople(contactPoint, tweets ?? (brief ? 2000 : PEOPLES_TWEETS))
          : Promise.resolve(given)),
  };
}

type Setting = Pick<
  Stage,
  'contactPoint' | 'nodeFolders' | 'network' | 'brief' | 'tweets' | 'only' | 'given' | 'servers' | 'soak'
>;

async function fillPeople(contactPoint: string, tweets: number): Promise<string> {
  const keyspace = 'people';
  await withDatabase(contactPoint, keyspace, (database) =>
    storePeople(database, environment(contactPoint, keyspace), tweets),
  );
  return keyspace;
}

async function fillDiscoverable(
  contactPoint: string,
  tweets: number,
  keyspace = 'discoverable',
  textOf?: GenerateOptions['textOf'],
): Promise<Discoverable> {
  const end = new Date();
  const options = { tweets, end, random: randomFrom(SEED), ...(textOf && { textOf }) };
  await withDatabase(contactPoint, keyspace, (database) =>
    fillTweets(database, environment(contactPoint, keyspace), options),
  );
  return { keyspace, tweets, end };
}

async function fill(contactPoint: string, network: Network): Promise<Filled> {
  const keyspace = 'filled';
  const env = environment(contactPoint, keyspace);
  const { tweets, readers, authors } = generateTweets(network);
  const news = generateNews(authors, readers);
  say(
    `Importing the ${network.name} network, ${tweets.length} tweets and ${news.articles.length} articles, to be read`,
  );
  await withDatabase(contactPoint, keyspace, async () => {
    await startChild('src/commands/import.js', [network.path], env, importing).ended();
  });
  await withDatabase(contactPoint, keyspace, async (database) => {
    const store = createStore(database, readConfig(env));
    for (let n = 0; n < tweets.length; n += 5000) await store.add(tweets.slice(n, n + 5000));
    await store.settle();
    await storeNews(database, { articles: news.articles, comments: [] });
    for (let n = 0; n < news.comments.length; n += 2000)
      await storeNews(database, { articles: [], comments: news.comments.slice(n, n + 2000) });
  });
  const tweetIds = tweets.map(({ tweetId }) => tweetId);
  const writers = [...new Set(news.articles.map(({ authorId }) => authorId))];
  const articles = news.articles.map(({ articleId }) => articleId);
  return { keyspace, readers, authors, tweetIds, writers, articles };
}

async function fillSmall(contactPoint: string, network: Network): Promise<Small> {
  const keyspace = 'small';
  const { tweets, readers, authors } = generateTweets(network, SMALL);
  const isAuthor = new Set(authors);
  const edges = network.edges.filter(([, followee]) => isAuthor.has(followee));
  say(`Storing ${edges.length} follows and ${tweets.length} tweets, to be read`);
  const follows = edges.map(([follower, followee]) => ({
    kind: 'follow' as const,
    follower: { userId: follower },
    followee: { userId: followee },
  }));
  await withDatabase(contactPoint, keyspace, async (database) => {
    const store = createStore(database, readConfig(environment(contactPoint, keyspace)));
    const records = [...follows, ...tweets];
    for (let n = 0; n < records.length; n += 5000) await store.add(records.slice(n, n + 5000));
    await store.settle();
  });
  return { keyspace, readers, authors, edges };
}

/** Runs `use` with a keyspace, which is created with its tables if it does not exist. */
export async function withDatabase<T>(
  contactPoint: string,
  keyspace: string,
  use: (database: Database) => Promise<T>,
): Promise<T> {
  const config = readConfig(environment(contactPoint, keyspace));
  const opened = await openDatabase(config, pino({ level: 'silent' }));
  try {
    return await use(opened.database);
  } finally {
    await opened.close();
  }
}

/** The settings of all servers and imports of the benchmark. */
export function environment(contactPoint: string, keyspace: string): NodeJS.ProcessEnv {
  const nodes = contactPoint.split(',').length;
  const consistency = nodes === 1 ? 'LOCAL_ONE' : 'LOCAL_QUORUM';
  return {
    CASSANDRA_CONTACT_POINTS: contactPoint,
    CASSANDRA_KEYSPACE: keyspace,
    CASSANDRA_REPLICATION_FACTOR: String(nodes),
    CASSANDRA_READ_CONSISTENCY: consistency,
    CASSANDRA_WRITE_CONSISTENCY: consistency,
    JWT_SECRET: SECRET,
    JWT_AUDIENCE: AUDIENCE,
    // One client stands for many callers. The limits are checked, but too high to be reached.
    RATE_POINTS_PER_MINUTE: '1000000000000',
    RATE_MUTATIONS_PER_MINUTE: '1000000000000',
    RATE_PAIR_PER_HOUR: '1000000000000',
    QUOTA_POSTS_PER_HOUR: '1000000000',
    QUOTA_FOLLOWS_PER_HOUR: '1000000000',
    QUOTA_DELETIONS_PER_HOUR: '1000000000',
    QUOTA_BYTES_PER_DAY: '1000000000',
    RATE_REQUESTS_AT_ONCE: '1000000',
    // The raw servers keep nothing either.
    CACHE_SECONDS: '0',
    // No periodic work beside what is measured, because the raw servers have none.
    RANKINGS_EVERY_MINUTES: '0',
  };
}

/** The same for a server that keeps what it has read for as long as it does by default. */
export function shipped(contactPoint: string, keyspace: string): NodeJS.ProcessEnv {
  return { ...environment(contactPoint, keyspace), CACHE_SECONDS: undefined };
}

/** The same for a server that does and limits everything as it does by default. */
export function ordinary(contactPoint: string, keyspace: string): NodeJS.ProcessEnv {
  const settings = Object.entries(shipped(contactPoint, keyspace));
  return Object.fromEntries(
    settings.filter(([name]) => !/^(RATE|QUOTA)_|^RANKINGS_EVERY_MINUTES$/.test(name)),
  );
}

/** The headers of requests by each user, by user id. Binds an identity to each user, as `createUser` does. */
export async function headersOfUsers(
  database: Database,
  userIds: readonly string[],
): Promise<Map<string, Headers>> {
  const bulk = createBulkWriter(database)();
  for (const userId of userIds)
    await bulk.put(writeOf(usersByIdentity, { issuer: OWN_ISSUER, subject: userId, userId }));
  await bulk.flush();
  const headers = new Map<string, Headers>();
  for (const userId of userIds)
    headers.set(userId, headersWith(await signToken(SECRET, { subject: userId, audience: AUDIENCE }, 1)));
  return headers;
}

/** HTTP headers. */
export type Headers = Readonly<Record<string, string>>;

/** Headers of a GraphQL request with a token. */
export function headersWith(token: string): Headers {
  return { 'content-type': 'application/json', authorization: `Bearer ${token}` };
}
