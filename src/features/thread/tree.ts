import { compareIds } from '../../kit/base/ids';
import type { ThreadEntry } from './thread.lists';

/** The orders of the replies to one tweet. */
export enum ThreadOrder {
  OLDEST = 'OLDEST',
  NEWEST = 'NEWEST',
  MOST_LIKED = 'MOST_LIKED',
}

/** How much of a conversation is shown, and in which order. */
interface ThreadView {
  readonly order: ThreadOrder;
  /** Whether the author's replies to himself come first, in one piece. */
  readonly authorFirst: boolean;
  /** How many levels below the top are shown. */
  readonly depth: number;
  /** How many replies to one tweet are shown. */
  readonly perParent: number;
}

/** The tweet at the top of what is shown. */
interface Top {
  readonly tweetId: string;
  readonly authorId: string | null;
}

/** A tweet in the order in which a conversation is shown. */
export interface Shown {
  readonly tweetId: string;
  readonly authorId: string | null;
  /** The tweet that it replies to; null if that was deleted: then no block with its author hides the reply. */
  readonly parent: { readonly tweetId: string; readonly authorId: string | null } | null;
  readonly isGone: boolean;
  readonly depth: number;
  /** How many replies to it are not shown here, and after which one they begin; null if all are shown. */
  readonly more: { readonly count: number; readonly after: string | null } | null;
  /** How many replies were shown so far, this one included, to each tweet above it, from where showing began. */
  readonly counts: readonly number[];
}

/** The likes that a tweet had when a page ended with it. The next page goes on after that place; undefined if the order does not depend on them. */
type FormerLikes = number | undefined;

/** The place in a thread at which showing begins. */
export type ThreadStart =
  | { readonly kind: 'top' }
  /** After a tweet, of all that is shown or, with `within`, of the further replies to one. `counts` are those of the tweet. */
  | {
      readonly kind: 'after';
      readonly tweetId: string;
      readonly within: string | null;
      readonly counts: readonly number[];
      readonly likes: FormerLikes;
    }
  /** The further replies to a tweet, after one of them and all below that. */
  | {
      readonly kind: 'more';
      readonly parentId: string;
      readonly after: string | null;
      readonly likes: FormerLikes;
    };

/** The replies to a tweet that are being shown. */
interface Level {
  readonly parent: Top;
  readonly children: readonly ThreadEntry[];
  readonly depth: number;
  readonly limit: number;
  index: number;
  shown: number;
}

/**
 * The conversation below a tweet, in memory. Deleted tweets are in it as long as there are others below them. `likesOf` tells how much
 * tweets are liked.
 */
export class ThreadTree {
  private readonly entries = new Map<string, ThreadEntry>();
  private readonly replies = new Map<string, ThreadEntry[]>();
  private readonly sorted = new Set<string>();
  private readonly kept = new Map<string, number>();
  private readonly chain = new Set<string>();

  constructor(
    private readonly top: Top,
    entries: Iterable<ThreadEntry>,
    private readonly view: ThreadView,
    private readonly likesOf: (tweetId: string) => number = () => 0,
  ) {
    for (const entry of entries) {
      if (entry.tweetId === top.tweetId) continue;
      this.entries.set(entry.tweetId, entry);
      const siblings = this.replies.get(entry.parentId);
      if (siblings) siblings.push(entry);
      else this.replies.set(entry.parentId, [entry]);
    }
    this.countKept();
    if (view.authorFirst) this.findChain();
  }

  /** The tweets that are shown from somewhere on, in their order. Nothing if the conversation has no such place. */
  *walk(start: ThreadStart): Generator<Shown> {
    const levels: Level[] = [];
    const base = this.begin(start, levels);
    if (base === null) return;
    if (start.kind === 'top') yield this.show({ ...this.top, isGone: false, parentId: null }, 0, base, []);
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const entry = level.shown < level.limit ? level.children[level.index++] : undefined;
      if (entry === undefined) {
        levels.pop();
        continue;
      }
      if (!this.isKept(entry)) continue;
      level.shown++;
      yield this.show(
        entry,
        level.depth,
        base,
        levels.map(({ shown }) => shown),
      );
      if (level.depth - base < this.view.depth) levels.push(this.levelBelow(entry, level.depth + 1));
    }
  }

  /** Prepares the levels that are open where showing begins. The result is the depth of the tweet on top; null if there is no such place. */
  private begin(start: ThreadStart, levels: Level[]): number | null {
    if (start.kind === 'top') {
      levels.push(this.levelBelow(this.top, 1));
      return 0;
    }
    const anchorId = start.kind === 'more' ? start.parentId : (start.within ?? this.top.tweetId);
    const anchor = this.find(anchorId);
    const base = this.depthOf(anchorId);
    if (anchor === undefined || base === null) return null;
    const isWhole = start.kind === 'after' && start.within === null;
    const first = this.levelBelow(anchor, base + 1, isWhole ? this.view.perParent : Infinity);
    levels.push(first);
    if (start.kind === 'more') return this.skip(first, start.after, start.likes) ? base : null;
    if (start.tweetId === anchorId) return base;
    const path = this.pathTo(start.tweetId, anchorId);
    if (path === null) return null;
    for (const [index, entry] of path.entries()) {
      const level = levels.at(-1);
      const likes = index === path.length - 1 ? start.likes : undefined;
      if (level === undefined || !this.skip(level, entry.tweetId, likes)) return null;
      level.shown = start.counts[index] ?? 0;
      const depth = base + 2 + index;
      if (depth - base <= this.view.depth) levels.push(this.levelBelow(entry, depth));
      else if (index < path.length - 1) return null;
    }
    return base;
  }

  /** Lets a level go on after one of its tweets. Returns whether it has the tweet. */
  private skip(level: Level, tweetId: string | null, likes: FormerLikes): boolean {
    if (tweetId === null) return true;
    const { children } = level;
    const at = children.findIndex((entry) => entry.tweetId === tweetId);
    const last = children[at];
    if (last === undefined) return false;
    const isAfter = (entry: ThreadEntry) => entry !== last && this.compare(last, entry, likes) < 0;
    const next = likes === undefined ? at + 1 : children.findIndex(isAfter);
    level.index = next < 0 ? children.length : next;
    return true;
  }

  private levelBelow(parent: Top, depth: number, limit = this.view.perParent): Level {
    return { parent, children: this.childrenOf(parent.tweetId), depth, limit, index: 0, shown: 0 };
  }

  private show(
    { tweetId, authorId, isGone, parentId }: Omit<ThreadEntry, 'parentId'> & { parentId: string | null },
    depth: number,
    base: number,
    counts: readonly number[],
  ): Shown {
    const count = this.kept.get(tweetId) ?? 0;
    const shown = depth - base < this.view.depth ? Math.min(this.view.perParent, count) : 0;
    const children = count > shown && shown > 0 ? this.childrenOf(tweetId) : [];
    const last = children.filter((entry) => this.isKept(entry))[shown - 1];
    const parent = (parentId === null ? undefined : this.find(parentId)) ?? null;
    return {
      ...{ tweetId, authorId, depth, isGone: isGone === true, counts },
      parent: parent?.isGone === true ? null : parent,
      more: count > shown ? { count: count - shown, after: last?.tweetId ?? null } : null,
    };
  }

  private find(tweetId: string): (Top & { readonly isGone?: boolean | null }) | undefined {
    return tweetId === this.top.tweetId ? this.top : this.entries.get(tweetId);
  }

  /** The replies to a tweet, in their order; also deleted ones without replies, which are not shown. */
  private childrenOf(tweetId: string): readonly ThreadEntry[] {
    const children = this.replies.get(tweetId);
    if (children === undefined) return [];
    if (!this.sorted.has(tweetId)) {
      children.sort((a, b) => this.compare(a, b));
      this.sorted.add(tweetId);
    }
    return children;
  }

  private compare(a: ThreadEntry, b: ThreadEntry, likesOfA = this.likesOf(a.tweetId)): number {
    const first = Number(this.chain.has(b.tweetId)) - Number(this.chain.has(a.tweetId));
    if (first !== 0) return first;
    const { order } = this.view;
    if (order === ThreadOrder.OLDEST) return compareIds(a.tweetId, b.tweetId);
    const likes = order === ThreadOrder.MOST_LIKED ? this.likesOf(b.tweetId) - likesOfA : 0;
    return likes || compareIds(b.tweetId, a.tweetId);
  }

  private isKept(entry: ThreadEntry | undefined): boolean {
    return entry !== undefined && (entry.isGone !== true || (this.kept.get(entry.tweetId) ?? 0) > 0);
  }

  /** Counts the replies to each tweet that are shown: not deleted ones below which there is nothing. */
  private countKept(): void {
    for (const [tweetId, children] of this.replies) this.kept.set(tweetId, children.length);
    const leaves = [...this.entries.values()].filter((entry) => !this.isKept(entry));
    for (let leaf = leaves.pop(); leaf !== undefined; leaf = leaves.pop()) {
      this.kept.set(leaf.parentId, (this.kept.get(leaf.parentId) ?? 0) - 1);
      const parent = this.entries.get(leaf.parentId);
      if (parent?.isGone === true && this.kept.get(leaf.parentId) === 0) leaves.push(parent);
    }
  }

  /**
   * Finds the replies by the author of the top to that author's own tweets. If one tweet has several, the first one that is there, or leads
   * to one, goes on.
   */
  private findChain(): void {
    const leading = this.leadingEntries();
    for (let parentId: string | undefined = this.top.tweetId; parentId !== undefined;) {
      const own: ThreadEntry[] = (this.replies.get(parentId) ?? []).filter(
        ({ tweetId }) => leading.has(tweetId) && !this.chain.has(tweetId),
      );
      const next: ThreadEntry | undefined = own.toSorted((a, b) => compareIds(a.tweetId, b.tweetId))[0];
      if (next !== undefined) this.chain.add(next.tweetId);
      parentId = next?.tweetId;
    }
  }

  /** The tweets by the author of the top that are there, and the deleted ones between them. */
  private leadingEntries(): ReadonlySet<string> {
    const leading = new Set<string>();
    const { authorId } = this.top;
    if (authorId === null) return leading;
    for (const there of this.entries.values()) {
      if (there.isGone === true) continue;
      let entry: ThreadEntry | undefined = there;
      while (entry?.authorId === authorId && !leading.has(entry.tweetId)) {
        leading.add(entry.tweetId);
        entry = this.entries.get(entry.parentId);
      }
    }
    return leading;
  }

  /** The tweets from below one down to another, which is the last; null if it is not below. */
  private pathTo(tweetId: string, above: string): ThreadEntry[] | null {
    const path: ThreadEntry[] = [];
    for (let id = tweetId; id !== above;) {
      const entry = this.entries.get(id);
      if (entry === undefined || path.length > this.entries.size) return null;
      path.push(entry);
      id = entry.parentId;
    }
    return path.reverse();
  }

  private depthOf(tweetId: string): number | null {
    return this.pathTo(tweetId, this.top.tweetId)?.length ?? null;
  }
}
