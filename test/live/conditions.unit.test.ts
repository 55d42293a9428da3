import { tweetFilter } from '../../src/features/live/posted-tweets';
import { knownTerms, findTweetTerms } from '../../src/features/search/words';
import type { TweetRow } from '../../src/features/live/live-tweets';

const tweetOf = (content: string, hashtags: readonly string[] | null = null): TweetRow => ({
  tweetId: '1',
  authorId: '2',
  content,
  hashtags,
  createdAt: new Date(0),
  language: 'und',
  location: null,
  mentions: null,
  inReplyToId: null,
  quotedTweetId: null,
  sharedTweetId: null,
  sharedAuthorId: null,
});

test('a tweet is looked at once for all subscriptions that ask for the same', () => {
  let looks = 0;
  const asked = (name: string) => ({
    name,
    terms: ['blue'],
    isFoundIn: () => ++looks > 0,
    lookIn: () => true,
  });
  const tweet = tweetOf('a blue hill');
  const subscriptions = Array.from({ length: 100 }, () =>
    tweetFilter({ authorId: null, asked: asked('word blue'), boxes: [] }),
  );
  expect(subscriptions.map((test) => test(tweet))).toEqual(subscriptions.map(() => true));
  expect(looks).toBe(1);
  for (const [authorId, name] of [
    ['2', 'word blue'],
    [null, 'word blue hill'],
  ] as const)
    expect(tweetFilter({ authorId, asked: asked(name), boxes: [] })(tweet)).toBe(true);
  expect(looks).toBe(3);
  expect(subscriptions.map((test) => test(tweetOf('a red hill')))).toEqual(subscriptions.map(() => false));
});

test('the terms of a tweet are computed once, whatever row has it', () => {
  const first = knownTerms(tweetOf('a blue #hill', ['hill']));
  expect(knownTerms(tweetOf('a blue #hill', ['hill']))).toBe(first);
  expect([...first]).toEqual(findTweetTerms(tweetOf('a blue #hill', ['hill'])));
  for (const other of [tweetOf('a blue #hill'), tweetOf('a blue #hill', ['Hill', 'blue'])])
    expect([...knownTerms(other)]).toEqual(findTweetTerms(other));
});
