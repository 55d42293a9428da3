import type { Commented, Made, Reason, Society, Surface, Tweeted } from './model';
import type { Round, Shown } from './surfaces';

const sorted = (ids: readonly string[]) => ids.toSorted();
const idsOf = (tweets: readonly Tweeted[]) => sorted(tweets.map(({ tweetId }) => tweetId));

/** What somebody must be shown, and nothing else. */
class Expectation {
  private readonly society: Society;

  constructor(
    { society }: Round,
    private readonly who: string | null,
  ) {
    this.society = society;
  }

  private get alive(): Tweeted[] {
    return this.society.tweets.filter(({ isDeleted }) => !isDeleted);
  }

  private shown(tweets: readonly Tweeted[], surface: Surface): string[] {
    return idsOf(tweets.filter((tweet) => this.society.whyHidden(this.who, tweet, surface) === null));
  }

  /** A tweet to which another one leads; null if it is hidden there. */
  private led(to: Tweeted | null, surface: Surface = 'THREAD'): string | null {
    if (to === null || to.isDeleted) return null;
    return this.society.whyHidden(this.who, to, surface) === null ? to.tweetId : null;
  }

  private people(all: readonly string[]) {
    const nodes = all.filter((one) => this.society.blockBetween(this.who, one) === null);
    return { nodes: sorted(nodes), hiddenCount: all.length - nodes.length };
  }

  /** Tweets where placeholders stand for those that are hidden. */
  private placed(tweets: readonly Tweeted[], whyNot: (tweet: Tweeted) => Reason | null) {
    const edges = tweets.map((tweet) => {
      const hiddenReason = whyNot(tweet);
      return { id: tweet.tweetId, node: hiddenReason === null ? tweet.tweetId : null, hiddenReason };
    });
    return edges.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  found(): [string, unknown][] {
    const originals = this.alive.filter(({ shared }) => shared === null);
    const found = this.shown(this.alive, 'SEARCH');
    // The most liked are never shares.
    const top = this.shown(originals, 'SEARCH');
    const { articles, comments } = this.society;
    const writing = (all: readonly Made[], scope: string) =>
      sorted(
        all
          .filter(({ author }) => this.society.seesWriting(this.who, author, scope, 'ELSEWHERE'))
          .map(({ id }) => id),
      );
    return [
      ['search', found],
      ['searchTop', top],
      ['hashtag', { tweets: found, top }],
      [
        'tweetsInArea',
        this.shown(
          originals.filter(({ hasPlace }) => hasPlace),
          'SEARCH',
        ),
      ],
      ['tweetsOfDay', this.shown(this.alive, 'SEARCH')],
      ['articlesOfDay', writing(articles, 'TWEETS')],
      ['comments', writing(comments, 'REPLIES')],
      ['found', this.people(this.society.people).nodes],
      ...this.society.people.map((one): [string, unknown] => [
        `f${one}`,
        this.society.blockBetween(this.who, one) === 'BLOCKED_BY' ? [] : [one],
      ]),
      ...articles.map((article, n): [string, unknown] => {
        const on = comments.filter((comment: Commented) => comment.article === article);
        const isSeen = this.society.seesWriting(this.who, article.author, 'TWEETS', 'ITSELF');
        const own = on.filter(({ author }) => author === article.author);
        const seen = { comments: writing(on, 'REPLIES'), authorComments: writing(own, 'REPLIES') };
        return [`a${n}`, isSeen ? seen : null];
      }),
    ];
  }

  /** The profile of somebody. */
  profile(userId: string) {
    const { society, who } = this;
    const { follows, blocks, mutes, articles } = society;
    const isHidden = society.blockBetween(who, userId) !== null;
    const own = this.alive.filter(({ author }) => author === userId);
    const names = (pairs: string[], side: 0 | 1) => pairs.map((pair) => pair.split(' ')[side] ?? '');
    const some = (all: string[]) => (isHidden ? { nodes: [], hiddenCount: 0 } : this.people(all));
    return {
      viewerIsBlocking: blocks.has(`${who} ${userId}`),
      isBlockingViewer: blocks.has(`${userId} ${who}`),
      viewerIsMuting: mutes.has(`${who} ${userId}`),
      viewerIsFollowing: follows.has(`${who} ${userId}`),
      isFollowingViewer: follows.has(`${userId} ${who}`),
      tweets: isHidden ? [] : this.shown(own, 'ITSELF'),
      top: isHidden
        ? []
        : this.shown(
            own.filter(({ shared }) => shared === null),
            'ITSELF',
          ),
      likes: isHidden
        ? []
        : this.shown(
            this.alive.filter(({ likes }) => likes.has(userId)),
            'ELSEWHERE',
          ),
      followers: some(
        names(
          [...follows].filter((pair) => pair.endsWith(` ${userId}`)),
          0,
        ),
      ),
      following: some(
        names(
          [...follows].filter((pair) => pair.startsWith(`${userId} `)),
          1,
        ),
      ),
      articles: isHidden
        ? []
        : sorted(articles.filter(({ author }) => author === userId).map(({ id }) => id)),
    };
  }

  /** What only its user sees. */
  own(who: string) {
    const { society } = this;
    const followed = this.alive.filter(({ author }) => society.follows.has(`${who} ${author}`));
    const originals = followed.filter(({ shared }) => shared === null);
    const bookmarked = [...(society.bookmarks.get(who) ?? [])];
    const ofMine = (pairs: Iterable<string>) =>
      Array.from(pairs)
        .filter((pair) => pair.startsWith(`${who} `))
        .map((pair) => pair.split(' ')[1] ?? '');
    const words = [...(society.mutedTexts.get(who)?.values() ?? [])];
    return {
      timeline: this.shown(followed, 'TIMELINE'),
      top: this.shown(originals, 'TIMELINE'),
      bookmarks: this.placed(bookmarked, (tweet) =>
        tweet.isDeleted ? 'DELETED' : society.whyHidden(who, tweet, 'ITSELF'),
      ),
      blockedUsers: sorted(ofMine(society.blocks)),
      mutedUsers: sorted(ofMine(society.mutes.keys())).map((id) => ({
        ...{ node: id, scope: sorted(society.mutes.get(`${who} ${id}`) ?? []) },
      })),
      mutedWords: words
        .map(({ text, where, exceptFollowed }) => ({ text, where: sorted(where), exceptFollowed }))
        .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    };
  }

  /** A tweet that is asked for by its id. */
  tweet(tweet: Tweeted): unknown {
    const { society, who } = this;
    if (tweet.isDeleted || society.whyHidden(who, tweet, 'ITSELF') !== null) return null;
    // What people do with a share they do with its original.
    const original = tweet.shared ?? tweet;
    const sharers = this.alive.filter(({ shared }) => shared === original).map(({ author }) => author);
    const replies = this.alive.filter(({ parent }) => parent === original);
    const quotes = this.alive.filter(({ quoted }) => quoted === original);
    const ancestors = society.above(original);
    const shownReplies = idsOf(replies.filter((reply) => society.whyNotBelow(who, reply, original) === null));
    const whyNotQuoted = society.whyNotQuoted(who, tweet);
    return {
      ...{ likeCount: original.likes.size, shareCount: sharers.length },
      ...{ replyCount: replies.length, quoteCount: quotes.length },
      viewerHasLiked: original.likes.has(String(who)),
      viewerHasShared: sharers.includes(String(who)),
      viewerHasBookmarked: society.bookmarks.get(String(who))?.has(original) === true,
      inReplyTo: this.led(tweet.parent),
      // Where a share is shown, so is what it shares.
      sharedTweet: this.led(tweet.shared, 'ITSELF'),
      quotedTweet: whyNotQuoted === null ? (tweet.quoted?.tweetId ?? null) : null,
      quotedTweetHiddenReason: whyNotQuoted,
      root:
        original === tweet && original.parent === null
          ? tweet.tweetId
          : this.led(ancestors.at(-1) ?? original),
      ancestors: this.shown(
        ancestors.filter(({ isDeleted }) => !isDeleted),
        'THREAD',
      ),
      replies: shownReplies,
      top: shownReplies,
      quotes: this.shown(quotes, 'THREAD'),
      likers: this.people([...original.likes]),
      sharers: this.people(sharers),
      thread: this.placed(society.below(original), (below) => society.whyNotBelow(who, below, original)),
    };
  }

  nodes(tweets: readonly Tweeted[]): unknown[] {
    const seen = (tweet: Tweeted) =>
      !tweet.isDeleted && this.society.whyHidden(this.who, tweet, 'ITSELF') === null;
    const found = tweets.map((tweet) => (seen(tweet) ? tweet.tweetId : null));
    return found.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
}

/** Everything that somebody must be shown of a round, and of some of its tweets, by the names of `look`. */
export function expectedOf(round: Round, tweets: readonly Tweeted[], who: string | null): Shown {
  const expectation = new Expectation(round, who);
  return new Map<string, unknown>([
    ...(who === null ? [] : [['viewer', expectation.own(who)] as const]),
    ...expectation.found(),
    ...round.society.people.map((one) => [`u${one}`, expectation.profile(one)] as const),
    ['nodes', expectation.nodes(tweets)],
    ...tweets.map((tweet) => [`t${tweet.tweetId}`, expectation.tweet(tweet)] as const),
  ]);
}
