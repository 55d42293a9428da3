import type { FollowRecord, ImportRecord, TweetRecord, UserRecord } from '../../src/import/records/record';
import { snake } from '../../src/kit/cassandra/statement';
import type { Columns } from '../../src/kit/cassandra/table';
import { encodeNodeId } from '../../src/kit/relay/node';
import { createSchema } from '../../src/schema';
import { tables } from '../../src/tables';
import { startHarness, type Harness } from '../harness';
import { act, ask, post, put } from '../mutations';
import { firstOf, placesOf, simple, waysOf } from '../places';

/** Ada gets more followers than are pushed to, the others stay below. */
const settings = { FANOUT_PUSH_LIMIT: '3' };

let acted: Harness;
let imported: Harness;
let adaId: string;
beforeAll(async () => {
  acted = await startHarness(settings);
  imported = await startHarness(settings);
  adaId = await perform(acted);
  expect([...(await imported.store(await recordsOf(acted)))]).toEqual([]);
}, 120_000);

/** The story, by mutations. Resolves to the user id of ada. */
async function perform(server: Harness): Promise<string> {
  const people = new Map<string, { id: string; userId: string }>();
  for (const username of names) {
    const about = username === 'dee' ? {} : { description: `${username} writes` };
    const account = /^[AB]/.test(username) ? { twitterAccount: username } : {};
    const input = { username, name: `The ${username}`, ...about, ...account };
    people.set(username, await put(server, 'service', 'createUser', input));
  }
  const of = (username: string) => people.get(username) ?? { id: '', userId: '' };
  const follows = (follower: string, followee: string) =>
    act(server, of(follower).userId, 'followUser', { id: of(followee).id });
  const tweets = (author: string, input: Readonly<Record<string, unknown>>) =>
    post(server, of(author).userId, input);
  const does = (who: string, what: 'likeTweet' | 'shareTweet', { id }: { id: string }) =>
    act(server, of(who).userId, what, { id });

  await follows('cy', 'Bo');
  await follows('Ada', 'Bo');
  await follows('cy', 'Ada');
  const city = { latitude: 48.2, longitude: 16.4, country: 'Austria' };
  const opening = await tweets('Ada', { content: 'A #first one for @Bo and @cy, #Weather', location: city });
  const sea = { latitude: -1.5, longitude: 0 };
  const reply = await tweets('Bo', { content: 'Well said', inReplyTo: opening.id, location: sea });
  const quote = await tweets('cy', { content: 'Schaut euch das bitte an, es ist gut', quotes: reply.id });
  await does('dee', 'shareTweet', reply);
  await does('eve', 'shareTweet', opening);
  await does('Ada', 'shareTweet', opening);
  await tweets('Ada', { content: 'an answer', inReplyTo: reply.id, quotes: quote.id });
  await server.writeContext.outbox.idle();
  for (const follower of ['Bo', 'dee', 'eve', 'fay']) await follows(follower, 'Ada');
  for (const follower of ['Ada', 'fay']) await follows(follower, 'dee');
  for (const follower of ['Bo', 'dee', 'eve']) await follows(follower, 'cy');
  await server.writeContext.outbox.idle();
  const late = await tweets('Ada', { content: 'not pushed any more', language: 'de' });
  await tweets('cy', { content: 'pushed', inReplyTo: opening.id });
  await does('Bo', 'shareTweet', late);
  await does('Bo', 'likeTweet', opening);
  for (const who of ['Bo', 'dee', 'cy']) await does(who, 'likeTweet', late);
  for (const who of ['Ada', 'dee', 'cy']) await does(who, 'likeTweet', reply);
  await server.writeContext.outbox.idle();
  return of('Ada').userId;
}
const names = ['Ada', 'Bo', 'cy', 'dee', 'eve', 'fay', 'Gus'];

/** What a server shows of a person. */
interface Shown {
  readonly userId: string;
  readonly username: string;
  readonly name: string;
  readonly description: string | null;
  readonly twitterAccount: string | null;
  readonly createdAt: string;
  readonly followers: { readonly edges: readonly { followedAt: string; node: { userId: string } }[] };
  readonly tweets: { readonly nodes: readonly ShownTweet[] };
}

type Linked = { readonly tweetId: string } | null;
interface ShownTweet extends Required<
  Pick<
    TweetRecord,
    'tweetId' | 'content' | 'language' | 'hashtags' | 'mentions' | 'likeCount' | 'shareCount' | 'replyCount'
  >
> {
  readonly createdAt: string;
  readonly location: { latitude: number; longitude: number; country: string | null } | null;
  readonly inReplyTo: Linked;
  readonly sharedTweet: Linked;
  readonly quotedTweet: Linked;
}

/** What a server shows of the story, as the records of which the demo network is made. */
async function recordsOf(server: Harness): Promise<ImportRecord[]> {
  const shown = names.map(async (username) => {
    const data = await ask(
      server,
      `{ user(username: "${username}") {
        userId username name description twitterAccount createdAt
        followers(first: 100) { edges { followedAt node { userId } } }
        tweets(first: 100) { nodes {
          tweetId content createdAt language hashtags mentions likeCount shareCount replyCount
          location { latitude longitude country } inReplyTo { tweetId } sharedTweet { tweetId } quotedTweet { tweetId }
        } }
      } }`,
    );
    return (data as { user: Shown }).user;
  });
  const people = await Promise.all(shown);
  return [
    ...people.map(userRecord),
    ...people.flatMap(followRecords),
    ...people.flatMap(({ userId, tweets }) => tweets.nodes.map((tweet) => tweetRecord(userId, tweet))),
  ];
}

function userRecord(shown: Shown): UserRecord {
  const { userId, username, name, description, twitterAccount, createdAt } = shown;
  return {
    kind: 'user',
    userId,
    username,
    name,
    ...(description !== null && { description }),
    onTwitter: twitterAccount !== null,
    createdAt: new Date(createdAt),
  };
}

function followRecords({ userId, followers }: Shown): FollowRecord[] {
  return followers.edges.map(({ followedAt, node }) => ({
    kind: 'follow',
    follower: { userId: node.userId },
    followee: { userId },
    followedAt: new Date(followedAt),
  }));
}

function tweetRecord(userId: string, shown: ShownTweet): TweetRecord {
  const { createdAt, location, inReplyTo, sharedTweet, quotedTweet, ...same } = shown;
  return {
    ...same,
    kind: 'tweet',
    author: { userId },
    createdAt: new Date(createdAt),
    ...(location && { location: placeOf(location) }),
    ...(inReplyTo && { inReplyToId: inReplyTo.tweetId }),
    ...(quotedTweet && { quotedTweetId: quotedTweet.tweetId }),
    // A share shows the counts of its original; its own are none.
    ...(sharedTweet && { sharedTweetId: sharedTweet.tweetId, likeCount: 0, shareCount: 0, replyCount: 0 }),
    raw: JSON.stringify({ id_str: shown.tweetId, text: shown.content }),
  };
}

function placeOf({ latitude, longitude, country }: NonNullable<ShownTweet['location']>) {
  return { latitude, longitude, ...(country !== null && { country }) };
}

type Row = Readonly<Record<string, unknown>>;

async function rowsOf({ database }: Harness, name: string, columns: Columns): Promise<Row[]> {
  const selected = Object.entries(columns).map(
    ([property, column]) => `${column.select(snake(property))} AS "${property}"`,
  );
  const rows: Row[] = [];
  for await (const row of database.stream(`SELECT ${selected.join(', ')} FROM ${name}`, []))
    rows.push(row as Row);
  return rows;
}

/** Of the rows of a table those, in that form, in which they must be the same; all rows of that server are at hand. */
type Compared = (rows: readonly Row[], all: ReadonlyMap<string, readonly Row[]>) => readonly unknown[];

const without =
  (...left: readonly string[]): Compared =>
  (rows) =>
    rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !left.includes(name))));
const sums =
  (key: string, pairs: Readonly<Record<string, string>>): Compared =>
  (rows) =>
    rows
      .map((row) => [
        row[key],
        ...Object.entries(pairs).map(([base, acts]) => Number(row[base] ?? 0) + Number(row[acts] ?? 0)),
      ])
      .filter(([, ...counts]) => counts.some((count) => count !== 0));
/** Of the magnitudes that something has come to, the last one. */
const highest =
  (...key: readonly string[]): Compared =>
  (rows) => {
    const tops = rows.map((row) => ({
      ...row,
      magnitude: Number(row['magnitude']),
      of: key.map((name) => String(row[name])).join(' '),
    }));
    return tops.filter(
      (top) => !tops.some((other) => isSameTop(other, top) && other.magnitude > top.magnitude),
    );
  };
const isSameTop = (a: Row, b: Row) => a['of'] === b['of'];
const none: Compared = () => [];

/** The tables that say also how something came about, and what of them is the same in whatever way it did. */
const partly: Readonly<Record<string, Compared>> = {
  // Whether a sign-up is over, which an import need not tell.
  users_by_username: without('stored'),
  users_by_twitter_account: without('stored'),
  // How often a relation was changed here, and whether an import brought it.
  followers_by_user: without('turn'),
  relations: without('lowTurn', 'lowImported', 'highTurn', 'highImported'),
  // What was imported and what acts added stand apart; what is shown is their sum.
  user_counts: sums('userId', {
    followerCount: 'followers',
    followingCount: 'following',
    tweetCount: 'tweets',
  }),
  tweet_counts: sums('tweetId', { likeCount: 'likes', shareCount: 'shares', replyCount: 'replies' }),
  // Acts count their members; of imports there are the shares only, since one of each tweet is allowed to each author.
  tallies: (rows) =>
    rows
      .filter(({ list, member }) => list === 'shares' && member !== '0')
      .map(({ owner, shard, member, present, item }) => ({ owner, shard, member, present, item })),
  // Acts come through all magnitudes of likes; those left behind are passed over when the list is read.
  top_tweets_by_author: highest('authorId', 'tweetId'),
  top_replies_by_tweet: highest('inReplyToId', 'tweetId'),
  top_tweets_by_word: highest('term', 'bucket', 'tweetId'),
  top_tweets_by_hashtag: highest('term', 'bucket', 'tweetId'),
  top_users: highest('userId'),
  tweet_frequency: (rows) =>
    rows.flatMap(({ imported, posted, version: _, ...range }) => {
      const count = Number(imported ?? 0) + Number(posted ?? 0);
      return count === 0 ? [] : { ...range, count };
    }),
  // What was pushed before its author came to be merged in stays, and is not shown.
  timelines_by_user: (rows, all) => {
    const pulled = new Set(
      all.get('pulled_by_user')?.map(({ userId, authorId }) => `${String(userId)} ${String(authorId)}`),
    );
    return rows.filter(({ userId, authorId }) => !pulled.has(`${String(userId)} ${String(authorId)}`));
  },
  // A source says how many like a tweet, not who.
  likes_by_tweet: none,
  likes_by_user: none,
  buckets: (rows) => rows.filter(({ list }) => !String(list).startsWith('likes_by_')),
  // What only one of the two ways needs: the source's record and counts, and who does what is under way.
  raw_tweets: none,
  imported_counts: none,
  outbox_windows: none,
  workers: none,
};

async function comparedRows(server: Harness): Promise<Map<string, string[]>> {
  const read = tables.map(
    async (table) => [table.name, await rowsOf(server, table.name, table.columns)] as const,
  );
  const all = new Map(await Promise.all(read));
  return new Map(
    [...all].map(([name, rows]) => {
      const compared = partly[name]?.(rows, all) ?? rows;
      return [name, compared.map((row) => JSON.stringify(row)).sort()];
    }),
  );
}

test('every row that an import makes is the one that mutations make', async () => {
  const [byActs, byImport] = [await comparedRows(acted), await comparedRows(imported)];
  for (const { name } of tables) expect([name, byImport.get(name)]).toEqual([name, byActs.get(name)]);
  const filled = [...byActs].filter(([, rows]) => rows.length > 0).map(([name]) => name);
  // Nothing was deleted, claimed twice or left undone in the story, and no source has news.
  const empty = [
    ...['users_by_identity', 'deleted_tweets', 'deleted_by_author', 'idempotency_keys'],
    ...['outbox', 'unsettled_imports', 'rankings', 'ranking_pairs', 'leases'],
    ...['articles', 'articles_by_day', 'articles_by_user', 'article_counts', 'comments'],
    ...['comments_by_article', 'author_comments_by_article', 'comments_by_day', 'comments_by_author'],
  ];
  const compared = tables.map(({ name }) => name).filter((name) => partly[name] !== none);
  expect(filled.sort()).toEqual(compared.filter((name) => !empty.includes(name)).sort());
});

/** What no import knows: who likes a tweet; and what it knows better. */
const UNKNOWN = ['likers', 'likes', 'viewerHasLiked', 'raw'];

async function expectSame(source: string, who: string): Promise<void> {
  const answers = [await acted.query(source, {}, who), await imported.query(source, {}, who)];
  const [byActs, byImport] = answers.map(
    ({ data, errors }) =>
      JSON.parse(JSON.stringify({ source, data, errors }), (name, value: unknown) =>
        UNKNOWN.includes(name.replace(/^last_/, '')) ? undefined : value,
      ) as unknown,
  );
  expect(byImport).toEqual(byActs);
}

test('every field of the schema answers the same, however its rows were made', async () => {
  const { user } = (await ask(
    acted,
    '{ user(username: "ada") { id tweets { nodes { id tweetId createdAt } } } }',
  )) as {
    user: { id: string; tweets: { nodes: { id: string; tweetId: string; createdAt: string }[] } };
  };
  const [newest] = user.tweets.nodes;
  const ids = user.tweets.nodes.map(({ id }) => id);
  const around = (hours: number) =>
    new Date(Date.parse(newest?.createdAt ?? '') + hours * 3_600_000).toISOString();
  const schema = createSchema();
  const { root, stepsFrom, ...places } = placesOf(
    schema,
    {
      'Query.node(id:)': (type) => JSON.stringify(type === 'User' ? user.id : ids[0]),
      'Query.nodes(ids:)': () => JSON.stringify([user.id, ...ids]),
      'Query.tweet(tweetId:)': () => JSON.stringify(newest?.tweetId),
      'Query.tweetsOfDay(day:)': () => JSON.stringify(newest?.createdAt.slice(0, 10)),
      'Query.user(username:)': () => '"ada"',
      'Query.userByTwitterAccount(twitterAccount:)': () => '"ADA"',
      'Query.searchTweets(words:)': () => '["first", "Bo"]',
      'Query.hashtag(name:)': () => '"#weather"',
      'Query.tweetFrequency(from:)': () => JSON.stringify(around(-1)),
      'Query.tweetFrequency(to:)': () => JSON.stringify(around(1)),
      'Query.tweetsInArea(area:)': () => '{ south: -50, west: -50, north: 50, east: 50 }',
      'Query.tweetsInArea(from:)': () => JSON.stringify(around(-1)),
      'Query.tweetsInArea(to:)': () => JSON.stringify(around(1)),
      'Query.tweetHeatmap(area:)': () => '{ south: -50, west: -50, north: 50, east: 50 }',
      'Query.tweetHeatmap(from:)': () => JSON.stringify(around(-1)),
      'Query.tweetHeatmap(to:)': () => JSON.stringify(around(1)),
      'Query.article(id:)': () => JSON.stringify(encodeNodeId('Article', '1')),
      'Query.articlesOfDay(day:)': () => JSON.stringify(newest?.createdAt.slice(0, 10)),
      'Query.comments(from:)': () => JSON.stringify(around(-1)),
      'Query.comments(to:)': () => JSON.stringify(around(1)),
      'Query.rankings(kind:)': () => 'TOP_ACCOUNTS',
      'Query.rankings(from:)': () => JSON.stringify(around(-1)),
      'Query.rankings(to:)': () => JSON.stringify(around(1)),
    },
    3,
  );
  const near = firstOf(stepsFrom(root), ({ type, path }) => `${type.name} ${/^\w+\.viewer/.exec(path)?.[0]}`);
  const far = firstOf(near.flatMap(stepsFrom), ({ path }) => path);
  const whoAsks = ({ path }: { path: string }) => (path.startsWith('Query.viewer') ? adaId : 'service');
  for (const place of [root, ...near])
    await expectSame(places.ask(place, waysOf(place.type), 10), whoAsks(place));
  for (const place of far) await expectSame(place.around(simple(place.type, 1), 10), whoAsks(place));
  expect(far.length).toBeGreaterThan(50);
}, 120_000);

test('the lists of the most liked are the same, and so is what those see who follow', async () => {
  const nodes = '{ edges { cursor node { tweetId likeCount viewerHasShared } } pageInfo { hasNextPage } }';
  for (const name of names) {
    const lists = ['timeline', 'tweets'].map((list) => `${list}(order: MOST_LIKED) ${nodes}`).join(' ');
    const replies = `tweets(last: 100) { nodes { replies(order: MOST_LIKED) ${nodes} } }`;
    const relation = 'viewerIsFollowing isFollowingViewer';
    await expectSame(`{ user(username: "${name}") { ${lists} } }`, 'service');
    await expectSame(`{ user(username: "${name}") { ${relation} ${replies} } }`, adaId);
  }
});
