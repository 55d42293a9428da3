import { Hidden } from './hidden';
import { News } from './news';
import { Pairs } from './pairs';

/** A person, whose key in the model is the username. */
export interface Person {
  readonly username: string;
  readonly userId: string;
  /** The global id. */
  readonly id: string;
}

/** A tweet, reply or quote, whose key is `tweetId`. A share is not a post but a pair of its sharer and its original. */
export interface Post {
  readonly tweetId: string;
  /** The global id. */
  readonly id: string;
  readonly author: string;
  readonly content: string;
  readonly createdAt: string;
  readonly language: string | null;
  readonly location: { readonly latitude: number; readonly longitude: number } | null;
  readonly inReplyTo: string | null;
  readonly quotes: string | null;
  /** The imported counts. */
  readonly base: TweetCounts;
}

/** The counts of a tweet. */
interface TweetCounts {
  readonly likeCount: number;
  readonly shareCount: number;
  readonly replyCount: number;
}

/** An item of a list of tweets: a post or somebody's share of it. `tweetId` is the id of the item itself. */
export interface Item {
  readonly tweetId: string;
  readonly post: Post;
  readonly isShare: boolean;
  /** The sharer of a share, else the author. */
  readonly by: string;
}

export type Order = 'NEWEST' | 'MOST_LIKED';

/** The ids of a share, which only the server can give. */
export interface ShareName {
  readonly tweetId: string;
  readonly id: string;
}

/** What the API must answer when all mutations are done: its rules, in memory. */
export class Model {
  readonly people = new Map<string, Person>();
  /** The posts that are not deleted, by `tweetId`. */
  readonly posts = new Map<string, Post>();
  readonly follows = new Pairs();
  readonly likes = new Pairs();
  readonly shares = new Pairs();
  /** The ids of shares, by `shareKey`. */
  readonly shareNames = new Map<string, ShareName>();
  readonly news = new News();
  readonly hidden = new Hidden();
  /** The folder of each bookmark of a user, by tweet; empty for none. Bookmarks outlive their tweets. */
  readonly #bookmarks = new Map<string, Map<string, string>>();

  /** The bookmarks of a user. */
  bookmarksOf(username: string): Map<string, string> {
    const own = this.#bookmarks.get(username) ?? new Map<string, string>();
    this.#bookmarks.set(username, own);
    return own;
  }

  /** Deletes a post with its likes and shares. Nothing can be done to it afterwards. */
  delete(tweetId: string): void {
    this.posts.delete(tweetId);
    this.likes.removeAllWith(tweetId);
    this.shares.removeAllWith(tweetId);
  }

  /** Forgets a user whose account was deleted, with all that the user has made. */
  forget(username: string): void {
    for (const { tweetId, author } of [...this.posts.values()]) if (author === username) this.delete(tweetId);
    for (const pairs of [this.follows, this.likes, this.shares]) {
      for (const other of pairs.of(username)) pairs.remove(username, other);
      pairs.removeAllWith(username);
    }
    this.news.forget(username);
    this.hidden.forget(username);
    this.#bookmarks.delete(username);
    this.people.delete(username);
  }

  like(username: string, tweetId: string): void {
    if (this.posts.has(tweetId)) this.likes.add(username, tweetId);
  }

  share(username: string, tweetId: string): void {
    if (this.posts.has(tweetId)) this.shares.add(username, tweetId);
  }

  /** The followees of a user, newest first. */
  followingOf(username: string): string[] {
    return this.follows.of(username).reverse();
  }

  /** The tweets that a user likes, newest first. */
  likesOf(username: string): string[] {
    return this.likes.of(username).reverse();
  }

  tweetsOf(username: string, order: Order, isShown = always): string[] {
    return this.#idsIn(order, this.itemsOf(username).filter(isShown));
  }

  timelineOf(username: string, order: Order, isShown = always): string[] {
    const items = this.follows.of(username).flatMap((followee) => this.itemsOf(followee));
    return this.#idsIn(order, items.filter(isShown));
  }

  repliesTo(tweetId: string, order: Order, isShown = always): string[] {
    return this.#idsIn(order, this.#repliesTo(tweetId).filter(isShown));
  }

  /** The tweets that quote a tweet, newest first. */
  quotesOf(tweetId: string, isShown = always): string[] {
    return this.#idsIn('NEWEST', this.#quotesOf(tweetId).filter(isShown));
  }

  /** The posts for which `fits` is true, and their shares. */
  found(fits: (post: Post) => boolean, order: Order, isShown = always): string[] {
    return this.#idsIn(
      order,
      this.items().filter((item) => fits(item.post) && isShown(item)),
    );
  }

  /** All items of the tweet lists of all people. */
  items(): Item[] {
    return [...this.people.keys()].flatMap((username) => this.itemsOf(username));
  }

  countsOfTweet(tweetId: string): TweetCounts & { readonly quoteCount: number } {
    const base = this.posts.get(tweetId)?.base ?? { shareCount: 0, replyCount: 0 };
    return {
      likeCount: this.#likeCountOf(tweetId),
      shareCount: base.shareCount + this.shares.with(tweetId).length,
      replyCount: base.replyCount + this.#repliesTo(tweetId).length,
      quoteCount: this.#quotesOf(tweetId).length,
    };
  }

  countsOfPerson(username: string) {
    return {
      followerCount: this.follows.with(username).length,
      followingCount: this.follows.of(username).length,
      tweetCount: this.itemsOf(username).length,
    };
  }

  #likeCountOf(tweetId: string): number {
    return (this.posts.get(tweetId)?.base.likeCount ?? 0) + this.likes.with(tweetId).length;
  }

  /** The items of the tweet list of a user. */
  itemsOf(username: string): Item[] {
    const own = [...this.posts.values()].filter(({ author }) => author === username).map(itemOf);
    const shared = this.shares.of(username).flatMap((original): Item[] => {
      const post = this.posts.get(original);
      const name = this.shareNames.get(shareKey(username, original));
      const tweetId = name?.tweetId ?? `share of ${original} by ${username}`;
      return post ? [{ tweetId, post, isShare: true, by: username }] : [];
    });
    return [...own, ...shared];
  }

  #repliesTo(tweetId: string): Item[] {
    return [...this.posts.values()].filter(({ inReplyTo }) => inReplyTo === tweetId).map(itemOf);
  }

  #quotesOf(tweetId: string): Item[] {
    return [...this.posts.values()].filter(({ quotes }) => quotes === tweetId).map(itemOf);
  }

  #idsIn(order: Order, items: readonly Item[]): string[] {
    const listed = items.filter(({ isShare }) => order === 'NEWEST' || !isShare);
    const likes = ({ post }: Item) => (order === 'NEWEST' ? 0 : this.#likeCountOf(post.tweetId));
    return listed
      .sort((a, b) => likes(b) - likes(a) || compareIds(b.tweetId, a.tweetId))
      .map(({ tweetId }) => tweetId);
  }
}

/** The words of a post, with hashtags and mentions without their sign. */
export function wordsIn({ content }: Post): string[] {
  return content.split(/[\s#@]+/);
}

/** The hashtags of a post. */
export function hashtagsIn({ content }: Post): string[] {
  return [...content.matchAll(/#(\w+)/g)].map(([, name = '']) => name);
}

/** The usernames that a post mentions. */
export function mentionsIn({ content }: Post): string[] {
  return [...content.matchAll(/@(\w+)/g)].map(([, name = '']) => name);
}

/** The key of a share. */
export function shareKey(sharer: string, original: string): string {
  return `${sharer} ${original}`;
}

/** Compares ids as numbers. A share whose id is not known comes first. */
export function compareIds(a: string, b: string): number {
  return Number(numberOf(a) - numberOf(b));
}

function numberOf(id: string): bigint {
  return /^\d+$/.test(id) ? BigInt(id) : 0n;
}

/** A post as an item of a list. */
function itemOf(post: Post): Item {
  return { tweetId: post.tweetId, post, isShare: false, by: post.author };
}

function always(_item: Item): boolean {
  return true;
}
