import type { ImportRecord, Person } from '../../src/import/records/record';
import { chance, pickOne } from '../crash/random';
import type { Random } from '../../src/kit/base/random';

/** A ranking: lines of `score username`, the first rank first. */
export type Ranked = readonly string[];

/** The length of a ranking. */
const MAX_RANKED = 100;

/** All follows in memory, from which rankings are counted by brute force. */
export class Crowd {
  /** The followees of each person, by key: an id, or `@` and a username. */
  readonly #following = new Map<string, Set<string>>();
  readonly #records: { readonly follower: Person; readonly followee: Person }[] = [];
  /** Ids by folded username, and usernames by key. */
  readonly #ids = new Map<string, string>();
  readonly #names = new Map<string, string>();

  add(record: ImportRecord): void {
    if (record.kind === 'follow') this.#records.push(record);
    const persons =
      record.kind === 'follow'
        ? [record.follower, record.followee]
        : record.kind === 'tweet'
          ? [record.author]
          : [record];
    for (const { userId, username } of persons) {
      const folded = username?.toLowerCase();
      if (userId !== undefined && folded !== undefined) this.#ids.set(folded, userId);
      const key = userId ?? `@${folded ?? ''}`;
      if (username !== undefined && (record.kind === 'user' || !this.#names.has(key)))
        this.#names.set(key, username);
    }
  }

  /** Applies the added follows, now that all people are known. */
  applyFollows(): void {
    for (const { follower, followee } of this.#records.splice(0))
      this.set(this.#keyOf(follower), this.#keyOf(followee), true);
  }

  set(follower: string, followee: string, follows: boolean): void {
    const followed = this.#following.get(follower) ?? new Set<string>();
    this.#following.set(follower, followed);
    if (follows) followed.add(followee);
    else followed.delete(followee);
  }

  /** Draws a follow or unfollow, often of somebody with many followers. */
  change(random: Random): {
    readonly follower: string;
    readonly followee: string;
    readonly follows: boolean;
  } {
    const people = this.#people;
    const follower = pickOne(random, people) ?? '';
    const followed = [...(this.#following.get(follower) ?? [])];
    if (chance(random, 0.5) && followed.length > 0)
      return { follower, followee: pickOne(random, followed) ?? '', follows: false };
    const top = [...this.#scores()].sort(([, a], [, b]) => b - a).slice(0, 2 * MAX_RANKED);
    const followee = chance(random, 0.7) ? pickOne(random, top)?.[0] : pickOne(random, people);
    return { follower, followee: followee ?? '', follows: follower !== followee };
  }

  /** The accounts with the most followers, and the users who follow the most of these accounts. */
  ranked(): { readonly accounts: Ranked; readonly followers: Ranked } {
    const accounts = this.#best(this.#scores());
    const top = new Set(accounts.map(({ key }) => key));
    const scores = new Map<string, number>();
    for (const [follower, followed] of this.#following)
      scores.set(follower, [...followed].filter((key) => top.has(key)).length);
    return {
      accounts: accounts.map(({ line }) => line),
      followers: this.#best(scores).map(({ line }) => line),
    };
  }

  /** The id of a key; null if only the username is known. */
  idOf(key: string): string | null {
    return key.startsWith('@') ? null : key;
  }

  get #people(): string[] {
    return [...this.#following.keys()].filter((key) => this.idOf(key) !== null);
  }

  #scores(): Map<string, number> {
    const scores = new Map<string, number>();
    for (const followed of this.#following.values())
      for (const key of followed) scores.set(key, (scores.get(key) ?? 0) + 1);
    return scores;
  }

  #best(scores: ReadonlyMap<string, number>) {
    const all = [...scores].filter(([, score]) => score > 0);
    const named = all.map(([key, score]) => ({ key, score, name: this.#names.get(key) ?? key }));
    named.sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
    return named.slice(0, MAX_RANKED).map(({ key, score, name }) => ({ key, line: `${score} ${name}` }));
  }

  #keyOf({ userId, username }: Person): string {
    const folded = username?.toLowerCase() ?? '';
    return userId ?? this.#ids.get(folded) ?? `@${folded}`;
  }
}
