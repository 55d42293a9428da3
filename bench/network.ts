import { createReadStream, existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import type { TweetRecord } from '../src/import/records/record';

/** Who follows whom, with the file that says it. */
export interface Network {
  readonly name: string;
  readonly path: string;
  readonly edges: readonly (readonly [follower: string, followee: string])[];
}

/** Where the Higgs retweet network is, when nothing else is said. */
export const higgs = join(__dirname, '../../../shared/data/follows-higgs.txt.gz');

/** The network of a file or, where that is not at hand, a generated one of the size and shape of Higgs. */
export async function readNetwork(path: string, folder: string): Promise<Network> {
  if (!existsSync(path)) return generateNetwork(join(folder, 'follows.txt'));
  return { name: basename(path).replace(/\..*/, ''), path, edges: await readEdges(path) };
}

/** The edges of a file, which may be gzip-compressed. */
export async function readEdges(path: string): Promise<[follower: string, followee: string][]> {
  const edges: [string, string][] = [];
  const file = createReadStream(path);
  for await (const line of createInterface({
    input: path.endsWith('.gz') ? file.pipe(createGunzip()) : file,
  })) {
    const [follower, followee] = line.split(' ');
    if (follower !== undefined && followee !== undefined) edges.push([follower, followee]);
  }
  return edges;
}

/** 328,132 edges over 256,491 people, both degrees by power laws cut at 14,060 and 134. */
async function generateNetwork(path: string): Promise<Network> {
  const random = randomFrom(88);
  const people = 256_491;
  const seen = new Set<string>();
  const edges: [string, string][] = [];
  const ranked = (exponent: number) => 1 + Math.floor(people * random() ** exponent);
  const inDegree = new Map<number, number>();
  const outDegree = new Map<number, number>();
  while (edges.length < 328_132) {
    const follower = people + 1 - ranked(1.2);
    const followee = ranked(5);
    const edge = `${follower} ${followee}`;
    const [out, into] = [outDegree.get(follower) ?? 0, inDegree.get(followee) ?? 0];
    if (follower === followee || seen.has(edge) || out >= 134 || into >= 14_060) continue;
    seen.add(edge);
    outDegree.set(follower, out + 1);
    inDegree.set(followee, into + 1);
    edges.push([String(follower), String(followee)]);
  }
  await writeFile(path, `${[...seen].join('\n')}\n`);
  return { name: 'generated', path, edges };
}

/** Tweets of one month by some authors whose followers are neither few nor many, and who reads them. */
export function generateTweets({ edges }: Network) {
  const random = randomFrom(7);
  const followers = new Map<string, string[]>();
  for (const [follower, followee] of edges) {
    const some = followers.get(followee);
    if (some) some.push(follower);
    else followers.set(followee, [follower]);
  }
  const authors = [...followers].filter(([, some]) => some.length >= 10 && some.length <= 40).slice(0, 600);
  const tweets: TweetRecord[] = [];
  for (let n = 0; n < 60; n++) {
    for (const [authorId] of authors) {
      const createdAt = new Date(Date.UTC(2026, 9, 1, 0, 0, tweets.length * 60));
      tweets.push({
        kind: 'tweet',
        tweetId: String((BigInt(createdAt.getTime() - 1_288_834_974_657) << 22n) | BigInt(n)),
        author: { userId: authorId },
        content: `${words(random)} ${words(random)} #bench ${tweets.length}`,
        createdAt,
        language: 'en',
        hashtags: ['bench'],
        mentions: [],
        likeCount: Math.floor(random() ** 4 * 1000),
        shareCount: 0,
        replyCount: 0,
        raw: '{}',
      });
    }
  }
  const readers = [...new Set(authors.flatMap(([, some]) => some))].slice(0, 2000);
  return { tweets, readers, authors: authors.map(([authorId]) => authorId) };
}

/** Some words that nobody has written before. */
export function words(random: () => number): string {
  return Array.from({ length: 8 }, () => Math.floor(random() * 36 ** 5).toString(36)).join(' ');
}

/** Mulberry32 (T. Ettinger): the same numbers in [0, 1) from the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
