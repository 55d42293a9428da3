/**
 * What people have done, and what of it whom may see: told by the rules for people who live together, one by one, and not as the server
 * decides it.
 */
export type Reason = 'BLOCKED' | 'BLOCKED_BY' | 'MUTED' | 'MUTED_WORD' | 'DELETED';

/** Where something is looked at. `ITSELF`: by its id, or on the profile of who has made it; `ELSEWHERE`: in lists without words of their own. */
export type Surface = 'TIMELINE' | 'SEARCH' | 'THREAD' | 'ITSELF' | 'ELSEWHERE';

export interface Made {
  readonly id: string;
  readonly author: string;
}
export interface Tweeted extends Made {
  readonly tweetId: string;
  readonly content: string;
  readonly parent: Tweeted | null;
  readonly quoted: Tweeted | null;
  readonly shared: Tweeted | null;
  readonly hasPlace: boolean;
  readonly likes: Set<string>;
  isDeleted: boolean;
}
export interface Commented extends Made {
  readonly article: Made;
}
/** What somebody mutes, by one entry. */
export interface MutedText {
  readonly id: string;
  readonly text: string;
  readonly where: readonly string[];
  readonly exceptFollowed: boolean;
}

const SCOPES = { tweet: 'TWEETS', share: 'SHARES', quote: 'QUOTES', reply: 'REPLIES' } as const;

/** The words of a text: the sign of a hashtag and case make no difference. */
const wordsOf = (text: string) => text.toLowerCase().replaceAll('#', '').split(' ');

function hasPhrase(content: string, text: string): boolean {
  return ` ${wordsOf(content).join(' ')} `.includes(` ${wordsOf(text).join(' ')} `);
}

/** What some people have done. */
export class Society {
  readonly tweets: Tweeted[] = [];
  readonly articles: Made[] = [];
  readonly comments: Commented[] = [];
  /** Pairs, such as `1 2`: the first one does it to the second. */
  readonly follows = new Set<string>();
  readonly blocks = new Set<string>();
  readonly mutes = new Map<string, readonly string[]>();
  /** By whom, and the words that make an entry. */
  readonly mutedTexts = new Map<string, Map<string, MutedText>>();
  readonly bookmarks = new Map<string, Set<Tweeted>>();

  constructor(readonly people: readonly string[]) {}

  isBlocked(one: string, other: string): boolean {
    return this.blocks.has(`${one} ${other}`) || this.blocks.has(`${other} ${one}`);
  }

  /** Why somebody sees nothing of another one. */
  blockBetween(viewer: string | null, other: string): Reason | null {
    if (this.blocks.has(`${viewer} ${other}`)) return 'BLOCKED';
    return this.blocks.has(`${other} ${viewer}`) ? 'BLOCKED_BY' : null;
  }

  block(who: string, other: string): void {
    this.blocks.add(`${who} ${other}`);
    for (const pair of [`${who} ${other}`, `${other} ${who}`]) this.follows.delete(pair);
  }

  /** Deletes a tweet, with its shares. */
  delete(tweet: Tweeted): void {
    tweet.isDeleted = true;
    for (const share of this.tweets) if (share.shared === tweet) share.isDeleted = true;
  }

  /** Why somebody does not see a tweet that was not deleted. */
  whyHidden(viewer: string | null, tweet: Tweeted, surface: Surface): Reason | null {
    if (viewer === null) return null;
    const block =
      this.blockBetween(viewer, tweet.author) ??
      (tweet.shared && this.blockBetween(viewer, tweet.shared.author));
    if (block !== null || tweet.author === viewer) return block;
    const { parent } = tweet.shared ?? tweet;
    const isFound = surface === 'TIMELINE' || surface === 'SEARCH';
    const answered = isFound && parent?.isDeleted === false ? this.blockBetween(viewer, parent.author) : null;
    if (answered !== null) return answered;
    if (surface === 'ITSELF') return null;
    return this.isMuted(viewer, tweet) ? 'MUTED' : this.hasMutedText(viewer, tweet, surface);
  }

  private isMuted(viewer: string, { author, parent, quoted, shared }: Tweeted): boolean {
    const scope = this.mutes.get(`${viewer} ${author}`) ?? [];
    const kinds = [shared && SCOPES.share, quoted && SCOPES.quote, parent && SCOPES.reply];
    const own = kinds.flatMap((kind) => kind ?? []);
    if ((own.length === 0 ? [SCOPES.tweet] : own).some((kind) => scope.includes(kind))) return true;
    // Shares of what somebody posts go with it.
    return shared !== null && this.isMuted(viewer, shared);
  }

  private hasMutedText(viewer: string, tweet: Tweeted, surface: Surface): Reason | null {
    const { quoted } = tweet.shared ?? tweet;
    const texts = [tweet.content, quoted?.isDeleted === false ? quoted.content : ''];
    const hides = ({ text, where, exceptFollowed }: MutedText) =>
      where.includes(surface) &&
      !(exceptFollowed && this.follows.has(`${viewer} ${tweet.author}`)) &&
      texts.some((content) => hasPhrase(content, text));
    return [...(this.mutedTexts.get(viewer)?.values() ?? [])].some(hides) ? 'MUTED_WORD' : null;
  }

  /** Whether somebody sees an article or a comment. */
  seesWriting(viewer: string | null, author: string, scope: string, surface: Surface): boolean {
    if (viewer === null || viewer === author) return true;
    if (this.blockBetween(viewer, author) !== null) return false;
    return surface === 'ITSELF' || this.mutes.get(`${viewer} ${author}`)?.includes(scope) !== true;
  }

  /** Why somebody does not see what a tweet quotes; null also if it quotes nothing. */
  whyNotQuoted(viewer: string | null, { author, quoted }: Tweeted): Reason | null {
    if (quoted === null) return null;
    if (quoted.isDeleted) return 'DELETED';
    // Nobody sees the two together while the one who is quoted blocks the other.
    const between = this.blocks.has(`${quoted.author} ${author}`) ? 'BLOCKED' : null;
    return this.whyHidden(viewer, quoted, 'THREAD') ?? between;
  }

  /** What stands in a thread in the place of a reply. */
  whyNotBelow(viewer: string | null, reply: Tweeted, top: Tweeted): Reason | null {
    if (reply.isDeleted) return 'DELETED';
    const { parent, author } = reply;
    const isUnwanted =
      reply !== top &&
      parent?.isDeleted === false &&
      viewer !== author &&
      this.blocks.has(`${parent.author} ${author}`);
    return this.whyHidden(viewer, reply, 'THREAD') ?? (isUnwanted ? 'BLOCKED' : null);
  }

  /** The tweets above one, nearest first. */
  above({ parent }: Tweeted): Tweeted[] {
    return parent === null ? [] : [parent, ...this.above(parent)];
  }

  /** A tweet and all below it that stand in a thread: a deleted one only if there is something below it. */
  below(top: Tweeted): Tweeted[] {
    const replies = this.tweets.filter(({ parent }) => parent === top).flatMap((reply) => this.below(reply));
    return top.isDeleted && replies.length === 0 ? [] : [top, ...replies];
  }
}
