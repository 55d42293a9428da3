import { countWhile } from '../src/kit/base/binary-search';
import { encodeNodeId } from '../src/kit/graphql/global-id';
import { withActors } from './actors';
import { likeSource } from './compare-likes';
import { drive, lineOf, type Ask, type Driven } from './drive';
import { say, type Section } from './measure';
import { randomFrom } from '../src/kit/base/random';
import { words } from './network';
import { bodyOf, viewedTimeline } from './queries';
import { headersOfUsers, withDatabase, type Headers, type Stage } from './stage';

const ROUNDS = 3;
const SECONDS = 10;
const POSTERS = 5000;
const postSource = 'mutation ($input: CreateTweetInput!) { createTweet(input: $input) { tweet { id } } }';

/**
 * Measures a mixed load: of 100 requests, 90 read a home timeline with the viewer's fields, 9 like a tweet and one posts a
 * tweet. Some people are much more active than others, and some tweets get many more likes, both by Zipf's law.
 */
export async function compareMixed(stage: Stage): Promise<Section> {
  const { contactPoint, network, brief } = stage;
  const { keyspace, readers, tweetIds } = await stage.filled();
  const random = randomFrom(11);
  const posters = shuffled(new Set(network.edges.map(([, followee]) => followee)), random).slice(0, POSTERS);
  const loads = await withDatabase(contactPoint, keyspace, (database) =>
    withActors(stage, keyspace, async ({ ours }) => {
      const headers = await headersOfUsers(database, [...new Set([...readers, ...posters])]);
      const headersOf = (userId: string) => headers.get(userId) ?? {};
      const reader = zipf(shuffled(readers, random), random);
      const poster = zipf(posters, random);
      const tweet = zipf(tweetIds.toReversed(), random);
      const next = () => {
        const roll = random();
        if (roll < 0.9) return readAsk(reader(), headersOf);
        return roll < 0.99 ? likeAsk(tweet(), reader(), headersOf) : postAsk(poster(), random, headersOf);
      };
      const driven: Driven[] = [];
      const rounds = brief ? 1 : ROUNDS;
      for (let roundNumber = 0; roundNumber <= rounds; roundNumber++) {
        say(
          roundNumber === 0 ? 'Warming up the mixed load' : `Mixed load, round ${roundNumber} of ${rounds}`,
        );
        const done = await drive(ours, brief ? 3 : SECONDS, next);
        if (roundNumber > 0) driven.push(done);
      }
      return driven;
    }),
  );
  const kinds = ['timeline', 'like', 'tweet'];
  const lines = [
    { what: 'all', ...lineOf(loads) },
    ...kinds.map((kind) => ({ what: kind, ...lineOf(loads, kind) })),
  ];
  return { title: 'Mixed load: 90 % timelines, 9 % likes, 1 % tweets, 32 connections', lines };
}

type HeadersOf = (userId: string) => Headers;

function readAsk(userId: string, headersOf: HeadersOf): Ask {
  const body = bodyOf(viewedTimeline, userId);
  return { kind: 'timeline', path: '/graphql', headers: headersOf(userId), body };
}

function likeAsk(tweetId: string, userId: string, headersOf: HeadersOf): Ask {
  const variables = { id: encodeNodeId('Tweet', tweetId) };
  const body = JSON.stringify({ query: likeSource, variables });
  return { kind: 'like', path: '/graphql', headers: headersOf(userId), body };
}

function postAsk(userId: string, random: () => number, headersOf: HeadersOf): Ask {
  const variables = { input: { content: `${words(random)} #bench`, language: 'en' } };
  const body = JSON.stringify({ query: postSource, variables });
  return { kind: 'tweet', path: '/graphql', headers: headersOf(userId), body };
}

/** Creates a function that draws from `things`: the n-th with a frequency of 1/n (Zipf's law with exponent 1). */
function zipf(things: readonly string[], random: () => number): () => string {
  let sum = 0;
  const sums = things.map((_, index) => (sum += 1 / (index + 1)));
  return () => {
    const sought = random() * sum;
    return things[countWhile(sums, (upTo) => upTo <= sought)] ?? things.at(-1) ?? '';
  };
}

/** Shuffles `things` (Fisher and Yates). */
function shuffled(things: Iterable<string>, random: () => number): string[] {
  const all = [...things];
  for (let n = all.length - 1; n > 0; n--) {
    const other = Math.floor(random() * (n + 1));
    [all[n], all[other]] = [all[other] ?? '', all[n] ?? ''];
  }
  return all;
}
