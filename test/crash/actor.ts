import type { Random } from '../../src/kit/base/random';
import type { Client } from './client';
import type { Person } from './model';
import type { CreateTweetInput } from './operations';
import type { World } from './world';

/** A user who sends mutations, one after another. */
export interface Actor {
  readonly person: Person;
  readonly world: World;
  readonly client: Client;
  /** The inputs of the actor's posts, by `tweetId`. */
  readonly posted: Map<string, CreateTweetInput>;
  /** The tweets that the actor may have shared, even if the answer was NOT_FOUND: an earlier attempt may have shared them. */
  readonly mayShare: Set<string>;
}

/** Does something chosen by random numbers, which are the same for the same seed. `step` counts what the actor does. */
export type Act = (actor: Actor, random: Random, step: number) => Promise<void>;
