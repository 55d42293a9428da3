import { encodeNodeId } from '../../../src/kit/graphql/global-id';
import { createSchema, tables } from '../../../src/app';
import { startHarness, type Answer, type Harness } from '../../support/harness';
import { ask } from '../../support/mutations';
import { firstOf, placesOf, simple, waysOf } from '../../support/places';
import { listsOfActs } from '../../support/stored-lists';
import { comparedRows, none, partly } from './compared-rows';
import { recordsOf } from './records';
import { names, perform } from './story';

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
});

test('every row that an import makes is the one that mutations make', async () => {
  const [byActs, byImport] = [await comparedRows(acted), await comparedRows(imported)];
  for (const { name } of tables) expect([name, byImport.get(name)]).toEqual([name, byActs.get(name)]);
  const filled = [...byActs].filter(([, rows]) => rows.length > 0).map(([name]) => name);
  // Nothing was deleted, claimed twice or left undone in the story, and no source has news.
  const empty = [
    ...[
      'users_by_identity',
      'deleted_tweets',
      'deleted_by_author',
      'deleted_replies_by_tweet',
      'tweet_invalidations',
      'idempotency_keys',
      'quota_uses',
      'suspensions',
      'moderation_acts',
      'notification_members',
      'account_deletions',
      'leaving_users',
      'deletion_receipts',
      'account_exports',
      'export_chunks',
      'hidden_by_user',
    ],
    ...['bookmarks', 'bookmarks_by_user', 'bookmarks_in_folder'],
    ...['list_buckets', 'outbox', 'unsettled_imports', 'rankings', 'ranking_pairs', 'leases'],
    ...['articles', 'articles_by_day', 'articles_by_user', 'article_counts', 'comments'],
    ...['comments_by_article', 'author_comments_by_article', 'comments_by_day', 'comments_by_author'],
  ];
  const compared = tables.map(({ name }) => name).filter((name) => partly[name] !== none);
  expect(filled.sort()).toEqual(compared.filter((name) => !empty.includes(name)).sort());
});

/** What no import knows: who likes a tweet, and what was new to whom; and what it knows better. */
const UNKNOWN = [
  ...listsOfActs.map(({ field }) => field),
  ...['viewerHasLiked', 'notifications', 'unreadNotifications', 'raw'],
];
const isUnknown = (name: string | number) => UNKNOWN.includes(String(name).replace(/^last_/, ''));

/** The errors of fields that an import knows, sorted: they come in any order. */
const knownErrors = (errors: Answer['errors']) =>
  errors
    .filter(({ path }) => !path?.some(isUnknown))
    .sort((a, b) => String(a.path).localeCompare(String(b.path)));

async function expectSame(source: string, who: string): Promise<void> {
  const answers = [await acted.query(source, {}, who), await imported.query(source, {}, who)];
  const [byActs, byImport] = answers.map(
    ({ data, errors }) =>
      JSON.parse(JSON.stringify({ source, data, errors: knownErrors(errors) }), (name, value: unknown) =>
        isUnknown(name) ? undefined : value,
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
      'Query.searchUsers(text:)': () => '"b"',
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
});

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
