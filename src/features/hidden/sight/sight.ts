import type { HiddenWord, Mute, Sight, Viewer, ViewerSight, WordedText } from '../../../context';
import { cacheable, mapResult } from '../../../kit/cassandra/statement';
import type { Row } from '../../../kit/cassandra/table';
import type { PositionValue } from '../../../kit/lists/cursor';
import type { Load } from '../../../kit/reads/load';
import { shownRelations } from '../../follow/follow.table';
import { followsIn, joinPair } from '../../follow/relation';
import { waitToLook } from '../../search/words';
import { cachedTweets } from '../../tweet/tweet-invalidations';
import type { TweetRow } from '../../tweet/tweet.table';
import { blockIn } from '../../follow/block';
import { MutedWordPlace } from '../hidden.enums';
import { hasMuted, MutedTexts } from './muted-words';
import {
  HIDDEN,
  hiddenRows,
  MAX_HIDDEN_ROWS,
  rootOfThread,
  type hiddenByUser,
  type hiddenUsers,
} from '../hidden.table';

/** A row with its words, or one that was read without them. */
type HiddenRow = Omit<Row<typeof hiddenUsers>, 'viewerId'> & Partial<Row<typeof hiddenByUser>>;
type RelationRow = Row<typeof shownRelations>;

/** The relations of a user that hide something, from its rows. */
export interface HiddenSet {
  /** The users whom the user blocks, and since when. */
  readonly blocked: ReadonlyMap<string, Date>;
  /** The users who block the user; null if they are too many to name. */
  readonly blockers: ReadonlySet<string> | null;
  readonly mutes: ReadonlyMap<string, Mute>;
  readonly words: readonly HiddenWord[];
  /** The same, to find those that a tweet may have. */
  mutedTexts(this: void): MutedTexts<HiddenWord>;
  /** Whether nothing of these is there. */
  readonly isEmpty: boolean;
  /** How many rows it was read from. */
  readonly size: number;
  /** The roots of threads of which the user wants no notifications. */
  readonly mutedThreads: ReadonlySet<string>;
  /** The position of the newest notification that the user has seen; null if none. */
  readonly seen: readonly PositionValue[] | null;
}

/** The set in a user's rows. */
export function setIn(rows: readonly HiddenRow[]): HiddenSet {
  const blocked = new Map<string, Date>();
  const blockers = new Set<string>();
  const mutes = new Map<string, Mute>();
  const words: HiddenWord[] = [];
  const mutedThreads = new Set<string>();
  let seen: HiddenSet['seen'] = null;
  let hasManyBlockers = rows.length >= MAX_HIDDEN_ROWS;
  for (const row of rows) {
    const { kind, targetId, hiddenAt: at, until } = row;
    if (row.ended === true) continue;
    if (kind === HIDDEN.block) blocked.set(targetId, at);
    else if (kind === HIDDEN.blocker) blockers.add(targetId);
    else if (kind === HIDDEN.mute) mutes.set(targetId, { at, until, scope: placesOf(row) });
    else if (kind === HIDDEN.word)
      words.push({
        ...{ id: targetId, at, text: row.words ?? '', until, where: placesOf(row) },
        exceptFollowed: row.exceptFollowed === true,
      });
    else if (kind === HIDDEN.manyBlockers) hasManyBlockers = true;
    else if (kind === HIDDEN.thread) mutedThreads.add(rootOfThread(targetId));
    else if (kind === HIDDEN.seen && row.seenId !== null) seen = [at, row.seenId];
  }
  const named = hasManyBlockers ? null : blockers;
  const isEmpty = blocked.size + mutes.size + words.length === 0 && named?.size === 0;
  let index: MutedTexts<HiddenWord> | undefined;
  const mutedTexts = () => (index ??= new MutedTexts(words));
  const { length: size } = rows;
  return { blocked, blockers: named, mutes, words, mutedTexts, isEmpty, size, mutedThreads, seen };
}

function placesOf({ scope }: HiddenRow): ReadonlySet<string> | null {
  return scope === null ? null : new Set(scope);
}

/** The cache keeps sets rather than rows: they take less room, and requests share them. */
const cachedSets = cacheable(mapResult(hiddenRows, setIn), { absence: false });

/** Reads what is hidden from a user, perhaps as it was a moment ago. */
export function hiddenSetOf(load: Load, userId: string): Promise<HiddenSet> {
  return load(cachedSets, { viewerId: userId, limit: MAX_HIDDEN_ROWS });
}

/**
 * Creates the function that reads the sight of a request's viewer. It reads one partition, once a request and perhaps from the server's
 * cache, and nothing for callers without a user. Null if nothing is hidden from the viewer.
 */
export function createSight(load: Load, viewer: Viewer): ViewerSight {
  if (viewer.caller.kind !== 'person') return SEES_ALL;
  let last: { readonly set: HiddenSet; readonly sight: Sight | null } | undefined;
  const sight = async () => {
    const viewerId = await viewer.userId();
    if (viewerId === null) return null;
    const set = await hiddenSetOf(load, viewerId);
    if (last?.set !== set) last = { set, sight: set.isEmpty ? null : new ReadSight(viewerId, set, load) };
    return last.sight;
  };
  return Object.assign(sight, { isNobody: false });
}

const nothing = Promise.resolve(null);
/** The sight of callers without a user. */
export const SEES_ALL: ViewerSight = Object.assign(() => nothing, { isNobody: true });

/** The sight of a viewer, from the viewer's rows. */
class ReadSight implements Sight {
  private readonly relations = new Map<string, RelationRow | null>();
  /** The muted words that texts have. */
  private readonly found = new WeakMap<WordedText, ReadonlySet<HiddenWord>>();

  constructor(
    readonly viewerId: string,
    private readonly set: HiddenSet,
    private readonly load: Load,
  ) {}

  get words(): readonly HiddenWord[] {
    return this.set.words;
  }

  get hasBlocks(): boolean {
    return this.set.blocked.size > 0 || this.set.blockers?.size !== 0;
  }

  hasWordsAt(place: string): boolean {
    return place in MutedWordPlace && this.set.words.some((word) => hidesAt(word, place));
  }

  findWord(authorId: string, texts: readonly WordedText[], place: string): HiddenWord | null {
    if (!this.hasWordsAt(place)) return null;
    const found = texts.map((text) => this.wordsIn(text));
    if (found.every((words) => words.size === 0)) return null;
    // A timeline has only tweets of users whom the viewer follows, so that is not read there: see `mustLearnAt`.
    const isFollowed = () => place === 'TIMELINE' || this.follows(authorId);
    const hides = (word: HiddenWord) =>
      found.some((words) => words.has(word)) &&
      hidesAt(word, place) &&
      !(word.exceptFollowed && isFollowed());
    return this.set.words.find(hides) ?? null;
  }

  async compare(texts: readonly WordedText[]): Promise<void> {
    const unknown = [...new Set(texts)].filter((text) => !this.found.has(text));
    await Promise.all(
      unknown.map(async (text) => {
        await waitToLook(text.content.length, this.load);
        this.wordsIn(text);
      }),
    );
  }

  /** The muted words that a text has. */
  private wordsIn(text: WordedText): ReadonlySet<HiddenWord> {
    const known = this.found.get(text);
    if (known !== undefined) return known;
    const candidates = [...this.set.mutedTexts().among(text)];
    const found = new Set(candidates.filter((word) => hasMuted(text, word.text)));
    this.found.set(text, found);
    return found;
  }

  mustLearnAt(place: string): boolean {
    const dependsOnFollow = (word: HiddenWord) => word.exceptFollowed && hidesAt(word, place);
    return (
      this.set.blockers === null ||
      (place !== 'TIMELINE' && place in MutedWordPlace && this.set.words.some(dependsOnFollow))
    );
  }

  blocks(userId: string): boolean {
    return this.set.blocked.has(userId);
  }

  isBlockedBy(userId: string): boolean {
    if (this.set.blockers !== null) return this.set.blockers.has(userId);
    const row = this.relations.get(userId);
    // A user whose relation was not read counts as blocking. Hiding too much is the safer error.
    return row === undefined || blockIn(row, userId, this.viewerId)?.blocks === true;
  }

  follows(userId: string): boolean {
    return followsIn(this.relations.get(userId) ?? null, this.viewerId, userId);
  }

  muteOf(userId: string): Mute | null {
    const mute = this.set.mutes.get(userId);
    return mute === undefined || isOver(mute) ? null : mute;
  }

  async readTweets(tweetIds: readonly string[]): Promise<(TweetRow | null)[]> {
    return Promise.all(tweetIds.map((tweetId) => this.load(cachedTweets, { tweetId })));
  }

  async learn(userIds: Iterable<string>): Promise<void> {
    const missing = new Set<string>();
    for (const userId of userIds)
      if (userId !== this.viewerId && !this.relations.has(userId)) missing.add(userId);
    await Promise.all(
      Array.from(missing, async (userId) => {
        const row = await this.load(shownRelations.get, { pair: joinPair(this.viewerId, userId) });
        this.relations.set(userId, row);
      }),
    );
  }
}

function hidesAt(word: HiddenWord, place: string): boolean {
  return !isOver(word) && (word.where === null || word.where.has(place));
}

/** Whether a mute, or a muted word, has ended. */
export function isOver({ until }: Pick<Mute, 'until'>): boolean {
  return until !== null && Number(until) <= Date.now();
}
