import { articles, comments } from '../../src/features/news/news.table';
import { acts, type ActFile } from '../../src/import/own/acts';
import { jobs } from '../../src/jobs/all';
import { timeOfId } from '../../src/kit/base/snowflake';
import { writeOf } from '../../src/kit/cassandra/write';
import { createTally } from '../../src/kit/work/tally';
import { decideBookmark, questionOf } from '../../src/write/bookmark/decide-bookmark';
import { person, startHarness, tweet, type Harness } from '../support/harness';
import { ask } from '../support/mutations';

// Each test leaves what a kill of an import of an export leaves: the first thing that it stores of an act, and nothing of what follows.

const at = new Date('2026-02-03T04:05:06.789Z');

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'ada'), person('2', 'bo'), tweet('100', '2'), tweet('101', '2')]);
});

/** Imports a line of a file of the export of user 1, and looks for what is wrong in the tables that are derived from others. */
async function importAgain(name: ActFile, line: object): Promise<unknown> {
  const outcomes = await acts[name](server.writeServices, '1', [{ line: 1, text: JSON.stringify(line) }]);
  const found: Record<string, readonly string[]> = {};
  for (const job of jobs) {
    const { examples } = await job.verify({ database: server.database, retentionMonths: null }, 1000);
    if (examples.length > 0) found[job.name] = examples;
  }
  return { outcomes, found };
}

const complete = { outcomes: ['unchanged'], found: {} };
const asAda = (query: string) => ask(server, query, '1');

describe('importing an export again completes what a killed import left of', () => {
  const tallied = (tweetId: string, present: boolean, time: Date) => {
    const change = { owner: tweetId, list: 'likes', member: '1', present, at: time };
    return createTally(server.database).change(change);
  };

  test('a like', async () => {
    await tallied('100', true, at);
    expect(await importAgain('likes', { tweetId: '100', likedAt: at })).toEqual(complete);
    expect(
      await asAda('{ tweet(tweetId: "100") { likeCount } viewer { likes { nodes { tweetId } } } }'),
    ).toEqual({ tweet: { likeCount: 1 }, viewer: { likes: { nodes: [{ tweetId: '100' }] } } });
  });

  test('a like, unless it was taken back', async () => {
    await tallied('101', true, at);
    await tallied('101', false, new Date(Number(at) + 1));
    for (const likedAt of [at, new Date(Number(at) + 1)])
      expect(await importAgain('likes', { tweetId: '101', likedAt })).toEqual(complete);
    expect(await asAda('{ tweet(tweetId: "101") { likeCount viewerHasLiked } }')).toEqual({
      tweet: { likeCount: 0, viewerHasLiked: false },
    });
  });

  test('a bookmark', async () => {
    const { database, worker } = server.writeServices;
    await decideBookmark(
      { database, nextId: () => worker.nextId(), now: at },
      questionOf('1', '100'),
      { folder: 'read' },
      () => Promise.resolve(),
    );
    const line = { tweetId: '100', bookmarkedAt: at, folder: 'read' };
    expect(await importAgain('bookmarks', line)).toEqual(complete);
    expect(await asAda('{ viewer { bookmarks { edges { tweetId folder } } } }')).toEqual({
      viewer: { bookmarks: { edges: [{ tweetId: '100', folder: 'read' }] } },
    });
  });

  test('an article, and a comment', async () => {
    const [articleId, commentId] = [
      server.writeServices.worker.nextId(),
      server.writeServices.worker.nextId(),
    ];
    const article = {
      articleId,
      title: 'A title',
      body: 'A text',
      tags: [],
      publishedAt: timeOfId(articleId),
    };
    const comment = { commentId, articleId, body: 'A comment', createdAt: timeOfId(commentId) };
    for (const { query, params } of [
      writeOf(articles, { ...article, authorId: '1' }),
      writeOf(comments, { ...comment, authorId: '1' }),
    ])
      await server.database.write(query, params);
    await acts.articles(server.writeServices, '1', [{ line: 1, text: JSON.stringify(article) }]);
    expect(await importAgain('comments', comment)).toEqual(complete);
    expect(
      await asAda('{ viewer { articles { nodes { title commentCount comments { nodes { body } } } } } }'),
    ).toEqual({
      viewer: {
        articles: {
          nodes: [{ title: 'A title', commentCount: 1, comments: { nodes: [{ body: 'A comment' }] } }],
        },
      },
    });
    expect(await importAgain('articles', article)).toEqual(complete);
  });
});
