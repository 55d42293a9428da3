import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/kit/cassandra/database';
import { readMany } from '../../src/kit/reads/load';
import { usersByIdentity } from '../../src/features/viewer/viewer.table';
import { OWN_ISSUER } from '../../src/features/viewer/token';
import { headersOfUsers, type Headers } from '../stage';
import { explainPage, type Explained } from './explain';
import type { PageQuestion } from './questions';
import type { PageServers } from './servers';
import type { Subject } from './subjects';

/** Who asks: nobody in particular, a service, or a person who is logged in. */
export const callers = ['anonymous', 'service', 'person'] as const;
export type Caller = (typeof callers)[number];

/** The headers of requests by each of the sampled people, by user id. */
export type OwnHeaders = ReadonlyMap<string, Headers>;

const FORGET = 'DELETE FROM users_by_identity WHERE issuer = ? AND subject = ?';

/** Runs `use` with headers of the people, whose identities are removed afterwards. Those who have one already are left out. */
export async function withOwnHeaders<T>(
  database: Database,
  people: readonly Subject[],
  use: (own: OwnHeaders) => Promise<T>,
): Promise<T> {
  const all = people.map(({ id }) => id);
  const known = await readMany(
    database,
    usersByIdentity.get,
    all.map((subject) => ({ issuer: OWN_ISSUER, subject })),
  );
  const ids = all.filter((_, index) => known[index] === null);
  const own = await headersOfUsers(database, ids);
  try {
    return await use(own);
  } finally {
    await Promise.all(ids.map((id) => database.write(FORGET, [OWN_ISSUER, id])));
  }
}

/** Longer than a server keeps what it has read, in milliseconds, so that nothing of the list before is kept. */
const FORGOTTEN_AFTER_MS = 2500;
const WHO = JSON.stringify({ query: '{ viewer { userId } }' });

/**
 * Asks for the page of each subject as one caller, on the server that explains to it; null for each page that was refused. A person
 * asks for its own lists; for those of a tweet and the like, the people take turns. The server knows from a request before who
 * they are.
 */
export async function explainAs(
  caller: Caller,
  servers: PageServers,
  own: OwnHeaders,
  question: PageQuestion,
  subjects: readonly Subject[],
): Promise<(Explained | null)[]> {
  const { headers } = servers;
  const port = servers.explaining[caller];
  const everybody = [...own.values()];
  const headersOf = ({ id }: Subject, n: number): Headers => {
    if (caller === 'service') return headers;
    if (caller === 'anonymous') return { 'content-type': 'application/json' };
    return own.get(id) ?? everybody[n % everybody.length] ?? headers;
  };
  if (caller === 'person')
    for (const [n, subject] of subjects.entries())
      await fetch(`http://127.0.0.1:${port}/graphql`, {
        method: 'POST',
        headers: headersOf(subject, n),
        body: WHO,
      }).then((response) => response.text());
  await sleep(FORGOTTEN_AFTER_MS);
  const explained: (Explained | null)[] = [];
  for (const [n, subject] of subjects.entries())
    explained.push(await explainPage(port, headersOf(subject, n), question, subject));
  return explained;
}
