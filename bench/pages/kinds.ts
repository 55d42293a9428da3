/** Kinds of people. */
export const kinds = ['quiet', 'ordinary', 'busy', 'celebrity'] as const;
export type Kind = (typeof kinds)[number];

/** How much a person has posted, and how many follow the person. */
export interface PersonCounts {
  readonly tweets: number;
  readonly followers: number;
}

/** Of this many people, the one with the most followers is a celebrity; and at least five are. */
const CELEBRITY_ONE_IN = 50;
const MIN_CELEBRITIES = 5;

/** Where one kind of people ends and the next begins. */
export interface KindBounds {
  /** The most tweets of a quiet person: a quarter of all people have no more. */
  readonly quiet: number;
  /** The most tweets of an ordinary person: a quarter of all people have more, and are busy. */
  readonly ordinary: number;
  /** The fewest followers of a celebrity. */
  readonly celebrity: number;
}

/** Finds the bounds of kinds among all people of a network. */
export function boundsOf(everybody: readonly PersonCounts[]): KindBounds {
  const tweets = everybody.map((one) => one.tweets).sort((a, b) => a - b);
  const followers = everybody.map((one) => one.followers).sort((a, b) => b - a);
  const quarter = Math.floor(everybody.length / 4);
  const celebrities = Math.max(MIN_CELEBRITIES, Math.floor(everybody.length / CELEBRITY_ONE_IN));
  return {
    quiet: tweets[quarter] ?? 0,
    ordinary: tweets[tweets.length - 1 - quarter] ?? 0,
    celebrity: Math.max(1, followers[celebrities - 1] ?? 1),
  };
}

/** The kind of a person. A celebrity is one however much the person posts. */
export function kindOf({ tweets, followers }: PersonCounts, bounds: KindBounds): Kind {
  if (followers >= bounds.celebrity) return 'celebrity';
  if (tweets <= bounds.quiet) return 'quiet';
  return tweets <= bounds.ordinary ? 'ordinary' : 'busy';
}

/** The bounds as a text for the title of a table. */
export function describeBounds({ quiet, ordinary, celebrity }: KindBounds): string {
  return `quiet: up to ${quiet} tweets, ordinary: up to ${ordinary}, busy: more, celebrity: ${celebrity} followers or more`;
}
