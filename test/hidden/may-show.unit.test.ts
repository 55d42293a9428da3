import { SIGHT_READS } from '../../src/features/hidden/hidden-reads';
import { VIEWER_READS } from '../../src/features/viewer/viewer-reads';
import type { Mute, Sight } from '../../src/context';
import { HiddenReason, MuteScope } from '../../src/features/hidden/hidden.enums';
import { mayShow, type SeenPlace, type Seen } from '../../src/features/hidden/may-show';

const PLACES: readonly SeenPlace[] = ['TIMELINE', 'SEARCH', 'THREAD', 'NOTIFICATIONS', 'DIRECT', 'LIST'];
const [ME, BLOCKED, BLOCKER, MUTED, OTHER] = ['1', '2', '3', '4', '5'] as const;

function sightWith(scope: readonly MuteScope[] | null = null): Sight {
  const mute: Mute = { at: new Date(0), until: null, scope: scope && new Set(scope) };
  return {
    viewerId: ME,
    blocks: (userId) => userId === BLOCKED,
    isBlockedBy: (userId) => userId === BLOCKER,
    follows: () => false,
    muteOf: (userId) => (userId === MUTED ? mute : null),
    words: [],
    hasBlocks: true,
    findWord: () => null,
    compare: () => Promise.resolve(),
    hasWordsAt: () => false,
    readTweets: () => Promise.resolve([]),
    mustLearnAt: () => false,
    learn: () => Promise.resolve(),
  };
}

function tweetBy(authorId: string, of: Partial<NonNullable<Seen['tweet']>> = {}): Seen {
  const tweet = {
    content: 'x',
    hashtags: null,
    inReplyToId: null,
    sharedTweetId: null,
    quotedTweetId: null,
    ...of,
  };
  return { kind: 'tweet', authorId, tweet };
}

test('nothing is hidden from callers without a user, or of oneself', () => {
  for (const place of PLACES) {
    expect(mayShow(null, tweetBy(BLOCKED), place)).toBeNull();
    expect(mayShow(sightWith(), tweetBy(ME), place)).toBeNull();
    expect(mayShow(sightWith(), tweetBy(OTHER), place)).toBeNull();
  }
});

test('a block hides everything of the other in both directions, but the profile where it is asked for', () => {
  for (const place of PLACES)
    for (const kind of ['tweet', 'comment', 'article', 'user'] as const) {
      const isProfile = kind === 'user' && place === 'DIRECT';
      const reasons = [BLOCKED, BLOCKER].map((authorId) => mayShow(sightWith(), { kind, authorId }, place));
      expect(reasons).toEqual(isProfile ? [null, null] : [HiddenReason.BLOCKED, HiddenReason.BLOCKED_BY]);
    }
});

test('a block hides shares of what the other has posted', () => {
  const shared = tweetBy(OTHER, { sharedTweetId: '9', sharedAuthorId: BLOCKED });
  for (const place of PLACES) expect(mayShow(sightWith(), shared, place)).toBe(HiddenReason.BLOCKED);
});

test('a mute hides what a user does, but neither on the profile nor the user', () => {
  for (const place of PLACES) {
    const hidden = place === 'DIRECT' ? null : HiddenReason.MUTED;
    for (const kind of ['tweet', 'comment', 'article'] as const)
      expect(mayShow(sightWith(), { kind, authorId: MUTED }, place)).toBe(hidden);
    const ofUser = place === 'NOTIFICATIONS' ? HiddenReason.MUTED : null;
    expect(mayShow(sightWith(), { kind: 'user', authorId: MUTED }, place)).toBe(ofUser);
  }
});

test('each scope of a mute hides one kind of acts', () => {
  const acts: readonly (readonly [MuteScope, Seen])[] = [
    [MuteScope.TWEETS, tweetBy(MUTED)],
    [MuteScope.TWEETS, tweetBy(OTHER, { sharedTweetId: '9', sharedAuthorId: MUTED })],
    [MuteScope.TWEETS, { kind: 'article', authorId: MUTED }],
    [MuteScope.SHARES, tweetBy(MUTED, { sharedTweetId: '9', sharedAuthorId: OTHER })],
    [MuteScope.QUOTES, tweetBy(MUTED, { quotedTweetId: '9' })],
    [MuteScope.REPLIES, tweetBy(MUTED, { inReplyToId: '9' })],
    [MuteScope.REPLIES, { kind: 'comment', authorId: MUTED }],
  ];
  for (const scope of Object.values(MuteScope))
    for (const [of, seen] of acts)
      expect([of, mayShow(sightWith([scope]), seen, 'TIMELINE')]).toEqual([
        of,
        of === scope ? HiddenReason.MUTED : null,
      ]);
  const both = tweetBy(MUTED, { quotedTweetId: '9', inReplyToId: '8' });
  const hiding = Object.values(MuteScope).filter((scope) => mayShow(sightWith([scope]), both, 'TIMELINE'));
  expect(hiding).toEqual([MuteScope.QUOTES, MuteScope.REPLIES]);
  expect(mayShow(sightWith([MuteScope.NOTIFICATIONS]), tweetBy(MUTED), 'NOTIFICATIONS')).toBe('MUTED');
  expect(mayShow(sightWith([MuteScope.TWEETS]), tweetBy(MUTED), 'NOTIFICATIONS')).toBeNull();
});

test('finding out what is hidden is bounded as finding the viewer is', () => {
  const asked = { args: {}, limit: 25, selects: () => true };
  for (const bound of VIEWER_READS) {
    const same = SIGHT_READS.find(({ table }) => table === bound.table);
    expect([bound.table, same?.cost(asked), same?.bytes(asked)]).toEqual([
      bound.table,
      bound.cost(asked),
      bound.bytes(asked),
    ]);
  }
});
