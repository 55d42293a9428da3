import { setTimeout as sleep } from 'node:timers/promises';
import { authorization, person, tweet, type Harness } from '../support/harness';

/** Reads two partitions, of the tweet and of its author, and at most three. */
export const QUERY = '{ tweet(tweetId: "100") { author { username } } }';

/** Some people and two tweets of the first, ada. */
export const RECORDS = [
  ...['ada', 'bo', 'cy', 'di', 'eve', 'flo', 'gus'].map((name, n) => person(String(n + 1), name)),
  tweet('100', '1'),
  tweet('101', '1'),
];

/** Asks over HTTP from an address, as nobody unless somebody is named. */
export async function ask(
  of: Harness,
  from: string,
  { who, query = QUERY, headers = {} }: Partial<Asked> = {},
): Promise<Told> {
  const answer = await of.inject({
    method: 'POST',
    url: '/graphql',
    remoteAddress: from,
    headers: {
      'content-type': 'application/json',
      ...(who !== undefined && { authorization: await authorization(who) }),
      ...headers,
    },
    payload: JSON.stringify({ query }),
  });
  const { errors = [] } = JSON.parse(answer.body) as Partial<Told>;
  return { status: answer.statusCode, headers: answer.headers, errors };
}

interface Asked {
  readonly who: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly errors: readonly {
    readonly extensions: { readonly code: string; readonly retryAfter?: number };
  }[];
}

/** How often something was refused for a reason, as its metrics tell. */
export async function refusalsOf(of: Harness, reason: string): Promise<number> {
  const { body } = await of.get('/metrics');
  const line = new RegExp(`^murmuration_graphql_refused_total\\{reason="${reason}"\\} (\\d+)$`, 'm');
  return Number(line.exec(body)?.[1]);
}

/** Asks again and again until the status is one; throws where that takes too long. */
export async function untilStatus(of: Harness, status: number, before = () => sleep(100)): Promise<Told> {
  for (const until = Date.now() + 30_000; Date.now() < until;) {
    await before();
    const told = await ask(of, '192.0.2.200', { who: 'service' });
    if (told.status === status) return told;
  }
  throw new Error(`The status must become ${status}, but does not.`);
}
