import { randomFrom } from '../src/kit/base/random';
import { createReadStream, existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import type { TweetRecord } from '../src/import/records/record';

/** A network of follows, and the file that has it. */
export interface Network {
  readonly name: string;
  readonly path: string;
  readonly edges: readonly (readonly [follower: string, followee: string])[];
}

/** The default path of the Higgs retweet network. */
export const higgs = join(__dirname, '../../../shared/data/follows-higgs.txt.gz');

/** Reads the network of a file or, if the file does not exist, generates one of the size and shape of Higgs into `folder`. */
export async function readNetwork(path: string, folder: string): Promise<Network> {
  if (!existsSync(path)) return generateNetwork(join(folder, 'follows.txt'));
  return { name: basename(path).replace(/\..*/, ''), path, edges: await readEdges(path) };
}

/** Reads the edges of a file, which may be gzip-compressed. */
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

/** 328,132 edges among 256,491 people. In-degrees and out-degrees follow power laws, cut at 14,060 and 134. */
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

/** Generates some tweets each of authors with 10 to 40 followers, of one month or two; also gives their readers. */
export function generateTweets({ edges }: Network, { most = 600, each = 60 } = {}) {
  const random = randomFrom(7);
  const followers = new Map<string, string[]>();
  for (const [follower, followee] of edges) {
    const known = followers.get(followee);
    if (known) known.push(follower);
    else followers.set(followee, [follower]);
  }
  const authors = [...followers]
    .filter(([, readers]) => readers.length >= 10 && readers.length <= 40)
    .slice(0, most);
  const tweets: TweetRecord[] = [];
  for (let n = 0; n < each; n++) {
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
  const readers = [...new Set(authors.flatMap(([, followerIds]) => followerIds))].slice(0, 2000);
  return { tweets, readers, authors: authors.map(([authorId]) => authorId) };
}

/** Eight random words, which hardly any other tweet has. */
export function words(random: () => number): string {
  return Array.from({ length: 8 }, () => Math.floor(random() * 36 ** 5).toString(36)).join(' ');
}
