import type { Database } from '../src/kit/cassandra/database';
import { createLoad } from '../src/kit/reads/load';
import { encodeNodeId } from '../src/kit/graphql/global-id';
import { tweetCounts } from '../src/features/tweet/tweet.table';
import { withActors, type Actors } from './actors';
import { drive, lineOf, type Ask, type Driven } from './drive';
import { say, type Line, type Section } from './measure';
import { headersOfUsers, withDatabase, type Headers, type Stage } from './stage';

const ROUNDS = 3;
const SECONDS = 4;
const USERS = 20_000;
/** The mutation that likes a tweet. */
export const likeSource = 'mutation ($id: ID!) { likeTweet(id: $id) { tweet { id } } }';

/** Compares likes by many users, of one tweet and of a different tweet each. */
export async function compareLikes(stage: Stage): Promise<Section> {
  const { contactPoint, network, brief } = stage;
  const { keyspace, tweetIds } = await stage.filled();
  const userIds = [...new Set(network.edges.flat())].slice(0, brief ? 3000 : USERS);
  const lines = await withDatabase(contactPoint, keyspace, (database) =>
    withActors(stage, keyspace, async (actors) => {
      const headers = [...(await headersOfUsers(database, userIds))];
      const done: Line[] = [];
      for (const where of ['one tweet', 'many tweets']) {
        const taken = { ours: [] as Driven[], raw: [] as Driven[] };
        const rounds = brief ? 1 : ROUNDS;
        for (let roundNumber = 0; roundNumber <= rounds; roundNumber++) {
          say(
            roundNumber === 0
              ? `Warming up likes of ${where}`
              : `Likes of ${where}, round ${roundNumber} of ${rounds}`,
          );
          const tweetOf = (n: number) => tweetIds.at(where === 'one tweet' ? -1 - roundNumber : n) ?? '';
          const seconds = brief || roundNumber === 0 ? 1 : SECONDS;
          const ours = await likeByOurs(database, actors, seconds, headers, tweetOf);
          const raw = await drive(actors.raw, seconds, asksOf(headers, tweetOf, rawAsk));
          if (roundNumber === 0) continue;
          taken.ours.push(ours);
          taken.raw.push(raw);
        }
        done.push({ what: `ours: likes of ${where}`, ...lineOf(taken.ours) });
        done.push({ what: `raw (can lose counts): likes of ${where}`, ...lineOf(taken.raw) });
      }
      return done;
    }),
  );
  return { title: 'likeTweet, each by another user, 32 connections', lines };
}

type UserHeaders = readonly (readonly [userId: string, headers: Headers])[];

/** Runs the load on our server, and checks that each like was counted exactly once. */
async function likeByOurs(
  database: Database,
  { ours }: Actors,
  seconds: number,
  headers: UserHeaders,
  tweetOf: (n: number) => string,
): Promise<Driven> {
  const hot = tweetOf(0) === tweetOf(1) ? tweetOf(0) : null;
  const before = hot === null ? 0 : await likesOf(database, hot);
  const driven = await drive(ours, seconds, asksOf(headers, tweetOf, ourAsk));
  const made = driven.times.get('like')?.length ?? 0;
  const counted = hot === null ? made : (await likesOf(database, hot)) - before;
  if (counted !== made) throw new Error(`${made} likes must be counted once each, but ${counted} were`);
  return driven;
}

async function likesOf(database: Database, tweetId: string): Promise<number> {
  return (await createLoad(database)(tweetCounts.get, { tweetId }))?.likes ?? 0;
}

function asksOf(
  users: UserHeaders,
  tweetOf: (n: number) => string,
  askOf: (tweetId: string, userId: string, headers: Headers) => Ask,
): () => Ask | null {
  let next = 0;
  return () => {
    const n = next++;
    const user = users[n];
    return user === undefined ? null : askOf(tweetOf(n), ...user);
  };
}

function ourAsk(tweetId: string, _userId: string, headers: Headers): Ask {
  const variables = { id: encodeNodeId('Tweet', tweetId) };
  return { kind: 'like', path: '/graphql', headers, body: JSON.stringify({ query: likeSource, variables }) };
}

function rawAsk(tweetId: string, userId: string): Ask {
  return { kind: 'like', path: `/like/${tweetId}/${userId}` };
}
