import type { Small } from '../stage';

/** How many authors post, and of these, how many subscribe to their notifications. */
const POSTERS = 100;
const NOTIFIED = 6;
/** How many people subscribe to their timelines. */
const TIMELINES = 20;
/** How many people read, like and reply. */
const READERS = 1000;
/** How many pairs of people follow and unfollow, for each act a second: so each changes 14 times an hour, of the 20 that it may. */
const PAIRS = 13;

/** Who does what in a soak. User ids. */
export interface People {
  readonly posters: readonly string[];
  readonly readers: readonly string[];
  /** Subscribe to their timelines; nobody of them follows anybody else meanwhile. */
  readonly subscribers: readonly string[];
  /** Posters who subscribe to their notifications. */
  readonly notified: readonly string[];
  /** Readers and posters whom they do not follow at the beginning. */
  readonly pairs: readonly (readonly [follower: string, followee: string])[];
  /** Whom each subscriber follows. */
  readonly followed: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Gives out the parts for a rate of acts a second. Those who follow most posters subscribe, so that they get most events. */
export function castPeople({ edges, ...filled }: Omit<Small, 'keyspace'>, rate: number): People {
  const posters = filled.authors.slice(0, POSTERS);
  const isPoster = new Set(posters);
  const known = new Set(filled.readers);
  const followed = new Map<string, Set<string>>();
  for (const [follower, followee] of edges) {
    if (!known.has(follower) || isPoster.has(follower)) continue;
    const all = followed.get(follower);
    if (all) all.add(followee);
    else followed.set(follower, new Set([followee]));
  }
  const postersOf = (reader: string) =>
    [...(followed.get(reader) ?? [])].filter((id) => isPoster.has(id)).length;
  const subscribers = [...followed.keys()]
    .toSorted((a, b) => postersOf(b) - postersOf(a))
    .slice(0, TIMELINES);
  const isSubscriber = new Set(subscribers);
  const readers = filled.readers.filter((id) => !isSubscriber.has(id) && !isPoster.has(id)).slice(0, READERS);
  const pairs = Array.from({ length: PAIRS * rate }, (_, n) => {
    const [reader = '', poster = ''] = [readers[n % readers.length], posters[(n * 7) % posters.length]];
    return [reader, poster] as const;
  }).filter(([reader, poster]) => !followed.get(reader)?.has(poster));
  return {
    ...{ posters, readers, subscribers, pairs },
    notified: posters.slice(0, NOTIFIED),
    followed: new Map(subscribers.map((id) => [id, followed.get(id) ?? new Set()])),
  };
}
