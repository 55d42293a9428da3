import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { Differences } from './differences';
import { hashtagsIn, shareKey, wordsIn, type Model, type Post } from './model';
import { compareSubscribers } from './subscriber';
import { World } from './world';

let world: World;
let model: Model;
beforeEach(() => {
  world = new World(3, false, () => undefined);
  ({ model } = world);
  for (const [n, username] of ['ada', 'bo', 'cy'].entries())
    model.people.set(username, { username, userId: String(n + 1), id: `id of ${username}` });
});

function posted(tweetId: string, author: string, more: Partial<Post> = {}): void {
  model.posts.set(tweetId, {
    tweetId,
    id: `id of ${tweetId}`,
    author,
    content: 'words',
    createdAt: '2026-01-01T00:00:00Z',
    language: 'en',
    location: null,
    inReplyTo: null,
    quotes: null,
    base: { likeCount: 0, shareCount: 0, replyCount: 0 },
    ...more,
  });
}

function shared(sharer: string, original: string, tweetId: string): void {
  model.share(sharer, original);
  model.shareNames.set(shareKey(sharer, original), { tweetId, id: `id of ${tweetId}` });
}

test('a timeline has the posts of the current followees, newest first', () => {
  posted('9', 'bo');
  posted('10', 'bo', { inReplyTo: '9' });
  posted('11', 'cy');
  posted('12', 'ada');
  model.follows.add('ada', 'bo');
  model.follows.add('ada', 'cy');
  expect(model.timelineOf('ada', 'NEWEST')).toEqual(['11', '10', '9']);
  model.follows.remove('ada', 'cy');
  expect(model.timelineOf('ada', 'NEWEST')).toEqual(['10', '9']);
  expect(model.timelineOf('bo', 'NEWEST')).toEqual([]);
});

test('a tweet of a timeline that its subscriber neither had nor was given is a difference', () => {
  for (const tweetId of ['9', '10', '11']) posted(tweetId, 'bo');
  model.follows.add('ada', 'bo');
  const found = (before: string[] | null, given: string[]) => {
    const differences = new Differences();
    const subscriber = { username: 'ada', before: () => before && new Set(before), given: new Set(given) };
    compareSubscribers(world, [subscriber], differences);
    return differences.found.map(({ got }) => got);
  };
  expect(found(['9'], ['10', '11', '12'])).toEqual([]);
  expect(found(['9'], ['11'])).toEqual([['10']]);
  expect(found(null, [])).toEqual([]);
});

test('a share is listed beside its original, but not in lists of the most liked', () => {
  posted('10', 'bo');
  shared('bo', '10', '20');
  shared('cy', '10', '21');
  model.follows.add('ada', 'bo');
  model.follows.add('ada', 'cy');
  expect(model.timelineOf('ada', 'NEWEST')).toEqual(['21', '20', '10']);
  expect(model.timelineOf('ada', 'MOST_LIKED')).toEqual(['10']);
  expect(model.tweetsOf('bo', 'NEWEST')).toEqual(['20', '10']);
  expect(model.countsOfPerson('bo')).toEqual({ followerCount: 1, followingCount: 0, tweetCount: 2 });
  expect(model.countsOfTweet('10')).toEqual({ likeCount: 0, shareCount: 2, replyCount: 0, quoteCount: 0 });
});

test('a share whose id is not known has a placeholder that no server can give', () => {
  posted('10', 'bo');
  model.share('cy', '10');
  expect(model.tweetsOf('cy', 'NEWEST')).toEqual(['share of 10 by cy']);
});

test('sharing or liking twice counts once and keeps its position', () => {
  posted('10', 'bo');
  posted('11', 'bo');
  for (const tweetId of ['10', '11', '10']) model.like('ada', tweetId);
  shared('ada', '10', '20');
  shared('ada', '10', '20');
  expect(model.likesOf('ada')).toEqual(['11', '10']);
  expect(model.tweetsOf('ada', 'NEWEST')).toEqual(['20']);
  model.likes.remove('ada', '10');
  model.like('ada', '10');
  expect(model.likesOf('ada')).toEqual(['10', '11']);
});

test('the most liked come first, with imported likes counted, and the newer of equals first', () => {
  posted('10', 'bo', { base: { likeCount: 2, shareCount: 1, replyCount: 1 } });
  posted('11', 'bo');
  posted('12', 'bo', { inReplyTo: '10' });
  model.like('ada', '11');
  expect(model.tweetsOf('bo', 'MOST_LIKED')).toEqual(['10', '11', '12']);
  expect(model.countsOfTweet('10')).toEqual({ likeCount: 2, shareCount: 1, replyCount: 2, quoteCount: 0 });
  model.like('ada', '12');
  expect(model.tweetsOf('bo', 'MOST_LIKED')).toEqual(['10', '12', '11']);
});

test('deleting removes likes, shares and the tweet from all lists; replies stay', () => {
  posted('10', 'bo');
  posted('11', 'cy', { inReplyTo: '10' });
  model.like('ada', '10');
  shared('cy', '10', '20');
  model.follows.add('ada', 'bo');
  model.delete('10');
  expect(model.likesOf('ada')).toEqual([]);
  expect(model.timelineOf('ada', 'NEWEST')).toEqual([]);
  expect(model.tweetsOf('cy', 'NEWEST')).toEqual(['11']);
  expect(model.countsOfPerson('cy').tweetCount).toBe(1);
  model.like('ada', '10');
  model.share('cy', '10');
  expect(model.likesOf('ada')).toEqual([]);
  expect(model.tweetsOf('cy', 'NEWEST')).toEqual(['11']);
});

test('a deleted reply no longer counts', () => {
  posted('10', 'bo');
  posted('11', 'cy', { inReplyTo: '10' });
  posted('12', 'ada', { inReplyTo: '10' });
  model.delete('11');
  expect(model.repliesTo('10', 'NEWEST')).toEqual(['12']);
  expect(model.countsOfTweet('10').replyCount).toBe(1);
});

test('the last followee comes first, even if followed again', () => {
  for (const followee of ['bo', 'cy', 'bo']) model.follows.add('ada', followee);
  expect(model.followingOf('ada')).toEqual(['cy', 'bo']);
  model.follows.remove('ada', 'bo');
  model.follows.add('ada', 'bo');
  expect(model.followingOf('ada')).toEqual(['bo', 'cy']);
  expect(model.follows.with('bo')).toEqual(['ada']);
});

test('a search finds the posts that match and, if newest first, their shares', () => {
  posted('10', 'bo', { content: 'bo says 1 #tag0_1' });
  posted('11', 'cy', { content: 'cy says 2' });
  posted('12', 'ada', { content: 'ada says 1' });
  shared('cy', '10', '20');
  model.like('cy', '10');
  const found = (word: string, order: 'NEWEST' | 'MOST_LIKED') =>
    model.found((post) => wordsIn(post).includes(word), order);
  expect(found('1', 'NEWEST')).toEqual(['20', '12', '10']);
  expect(found('1', 'MOST_LIKED')).toEqual(['10', '12']);
  expect(found('tag0_1', 'NEWEST')).toEqual(['20', '10']);
  expect([...model.posts.values()].flatMap(hashtagsIn)).toEqual(['tag0_1']);
  model.delete('10');
  expect(found('1', 'NEWEST')).toEqual(['12']);
});

describe('of news', () => {
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 23, 59, second)).toISOString();

  function published(n: string, author: string, second: number): void {
    const id = encodeNodeId('Article', n);
    const text = { title: n, body: 'text', tags: [] };
    model.news.articles.set(id, { id, author, ...text, publishedAt: at(second) });
  }

  function said(n: string, about: string, author: string, second: number): void {
    const id = encodeNodeId('Comment', n);
    const articleId = encodeNodeId('Article', about);
    model.news.comments.set(id, { id, articleId, author, body: n, createdAt: at(second) });
  }

  const bodies = (comments: readonly { readonly body: string }[]) => comments.map(({ body }) => body);
  const titles = (articles: readonly { readonly title: string }[]) => articles.map(({ title }) => title);

  test('articles are by author and by UTC day, newest first and then by id', () => {
    published('9', 'ada', 59);
    published('10', 'bo', 59);
    published('8', 'ada', 60);
    published('11', 'ada', 58);
    expect(titles(model.news.articlesOf('ada'))).toEqual(['8', '9', '11']);
    expect(titles(model.news.articlesOfDay('2026-01-01'))).toEqual(['10', '9', '11']);
    expect(titles(model.news.articlesOfDay('2026-01-02'))).toEqual(['8']);
  });

  test('comments are by article, by whether its author wrote them, and by period without its end', () => {
    published('1', 'ada', 0);
    published('2', 'bo', 0);
    said('3', '1', 'bo', 1);
    said('4', '1', 'ada', 2);
    said('5', '2', 'ada', 3);
    const [one, two] = [...model.news.articles.values()].map((article) => ({
      all: bodies(model.news.commentsOn(article)),
      own: bodies(model.news.authorCommentsOn(article)),
    }));
    expect(one).toEqual({ all: ['4', '3'], own: ['4'] });
    expect(two).toEqual({ all: ['5'], own: [] });
    expect(bodies(model.news.commentsWithin({ from: at(1), to: at(3) }))).toEqual(['4', '3']);
  });
});
