import type { Random } from '../../src/demo/network';
import type { Client } from './client';
import type { Person } from './model';
import type { CreateTweetInput } from './operations';
import type { World } from './world';

/** Somebody who acts, one act after another. */
export interface Actor {
  readonly person: Person;
  readonly world: World;
  readonly client: Client;
  /** What made each of the actor's posts, by `tweetId`. */
  readonly posted: Map<string, CreateTweetInput>;
  /** What the actor may share: also what was found gone, since an earlier attempt may have shared it. */
  readonly mayShare: Set<string>;
}

/** Does something, chosen by random numbers that are the same for the same seed; `step` counts the actor's acts. */
export type Act = (actor: Actor, random: Random, step: number) => Promise<void>;
