import type { Cost, FieldCost, Read } from '../../src/tools/graphiql/page/cost/report';
import { rowsOf } from '../../src/tools/graphiql/page/cost/rows';
import { treeOf, type FieldNode } from '../../src/tools/graphiql/page/cost/tree';

function field(path: string, tables: Readonly<Record<string, number>>, times = 1): FieldCost {
  const some = Object.entries(tables).map(([table, reads]) => ({
    table,
    reads,
    rows: 10 * reads,
    bytes: 1000 * reads,
  }));
  const reads = some.reduce((sum, table) => sum + table.reads, 0);
  return { path, field: `Type.${path}`, times, reads, rows: 10 * reads, bytes: 1000 * reads, tables: some };
}

function read(table: string, partitions: number, ...paths: string[]): Read {
  return { table, partitions, rows: 2 * partitions, bytes: 100 * partitions, milliseconds: 0.5, paths };
}

function cost(...fields: FieldCost[]): Cost {
  return { bound: 0, boundOfRows: 0, boundOfBytes: 0, limit: 0, limitOfRows: 0, limitOfBytes: 0, fields };
}

/** Each field as a line, below the one that it belongs to: what it read of what it may read. */
function lines(fields: readonly FieldNode[]): string[] {
  return fields.flatMap(({ name, total, children }) => [
    `${name} ${total.partitions ?? '-'}/${total.maxPartitions ?? '-'}`,
    ...lines(children).map((line) => `  ${line}`),
  ]);
}

const fields = [
  field('user', { users: 1 }),
  field('user.name', {}),
  field('user.tweets', { buckets: 1, tweets_by_author: 64 }),
  field('user.tweets.nodes.author', { users: 25 }, 25),
  field('username', { users: 1 }),
];

test('fields stand below the fields that they belong to, without those that read nothing', () => {
  const reads = [
    read('users', 1, 'user'),
    read('buckets', 1, 'user.tweets'),
    read('tweets_by_author', 1, 'user.tweets'),
    read('tweets_by_author', 2, 'user.tweets'),
    read('users', 3, 'user.tweets.nodes.author'),
  ];
  const tree = treeOf({ cost: cost(...fields), reads, isDry: false });
  expect(lines(tree)).toEqual([
    'user 1/1',
    '  tweets 4/65',
    '    nodes -/-',
    '      author 3/25',
    'username 0/1',
  ]);
  expect(tree[0]?.children[0]?.tables).toMatchObject([
    { table: 'buckets', partitions: 1, maxPartitions: 1 },
    {
      table: 'tweets_by_author',
      partitions: 3,
      rows: 6,
      bytes: 300,
      milliseconds: 1,
      maxPartitions: 64,
      maxRows: 640,
      maxBytes: 64_000,
    },
  ]);
});

test('a bound of several tables names the others', () => {
  const bound = { table: 'tweet_counts', otherTables: ['tweets'], reads: 300, rows: 6000, bytes: 600_000 };
  const list = { ...field('tweets', {}), reads: 300, tables: [bound] };
  const reads = [read('tweet_counts', 2, 'tweets'), read('tweets', 1, 'tweets')];
  const [tree] = treeOf({ cost: cost(list), reads, isDry: false });
  expect(tree?.tables).toMatchObject([
    { table: 'tweet_counts', otherTables: ['tweets'], partitions: 2, maxPartitions: 300 },
    { table: 'tweets', otherTables: [], partitions: 1, maxPartitions: undefined },
  ]);
});

test('of the fields of several types at one path the dearest counts', () => {
  const both = [field('node.author', { users: 1 }), field('node.author', { articles: 2 })];
  expect(lines(treeOf({ cost: cost(...both), reads: undefined, isDry: true }))).toEqual([
    'node -/-',
    '  author -/2',
  ]);
});

test('a dry run has bounds and no reads', () => {
  const [user, ...others] = lines(treeOf({ cost: cost(...fields), reads: undefined, isDry: true }));
  expect([user, others.at(-1)]).toEqual(['user -/1', 'username -/1']);
});

test('reads are shown where the server tells no bounds', () => {
  const tree = treeOf({ cost: undefined, reads: [read('users', 3, 'user.author')], isDry: false });
  expect(lines(tree)).toEqual(['user -/-', '  author 3/-']);
});

test('a request of several fields stands at each of them and names the others', () => {
  const shared = read('users', 4, 'tweet.author', 'tweet.sharedTweet.author');
  const [tweet] = treeOf({ cost: undefined, reads: [shared], isDry: false });
  expect(lines(tweet ? [tweet] : [])).toEqual([
    'tweet -/-',
    '  author 4/-',
    '  sharedTweet -/-',
    '    author 4/-',
  ]);
  expect(tweet?.children[0]?.tables[0]?.sharedWith).toEqual(['tweet.sharedTweet.author']);
});

test('a folded field hides its tables and the fields below it; a field of one table needs no row for it', () => {
  const [user] = treeOf({ cost: cost(...fields), reads: [], isDry: false });
  const ids = (folded: readonly string[]) =>
    (user ? rowsOf(user, new Set(folded), 1, undefined) : []).map(({ id }) => id);
  expect(ids([])).toEqual([
    'user',
    'user.tweets',
    'user.tweets buckets',
    'user.tweets tweets_by_author',
    'user.tweets.nodes',
    'user.tweets.nodes.author',
  ]);
  expect(ids(['user.tweets'])).toEqual(['user', 'user.tweets']);
});
