import { MAX_ID } from '../kit/base/ids';
import type { LimitedLoad } from '../kit/cost/limit-load';
import { collect } from '../kit/relay/collect';
import type { Slice, Source } from '../kit/relay/list';
import { likesOf } from './top-liked';
import type { Placed, TopBounds, TopSources } from './top-list';
import { placeIn } from './top-place';

/** How many rows of the newest are checked for likes at a time. */
const UNLIKED_AT_ONCE = 100;

/** The source of a list's tweets without likes, newest first. */
export function unlikedSource<N extends { readonly tweetId: string }>(
  load: LimitedLoad,
  { newest, tweetOf, holds }: TopSources<N>,
  { max }: TopBounds,
): Source<Placed> {
  let edge: readonly string[] | null = null;
  return {
    async read({ after, reversed, limit }: Slice) {
      edge = null;
      const found: Placed[] = [];
      const list = await newest(load);
      const position = placeIn(after);
      let from = position && { bucket: position.month, key: [position.tweetId] };
      for (let size = limit; ; size = UNLIKED_AT_ONCE) {
        const { rows, end } = await collect(list, {
          limit: Math.min(size, UNLIKED_AT_ONCE) - 1,
          backwards: reversed,
          from,
        });
        const likes = await likesOf(
          load,
          rows.map(({ row }) => row.tweetId),
        );
        const unliked = rows.filter((_, index) => likes[index] === 0);
        const read = await Promise.all(unliked.map(({ row }) => tweetOf(load, row)));
        unliked.forEach(({ bucket }, index) => {
          const tweet = read[index];
          if (tweet == null || tweet.sharedTweetId !== null || !holds(tweet)) return;
          found.push({ tweetId: tweet.tweetId, likes: 0, month: bucket, tweet });
        });
        if (found.length >= limit) return found.slice(0, limit);
        const last = rows.at(-1);
        const isFull = last !== undefined && rows.length >= Math.min(size, UNLIKED_AT_ONCE);
        if (!isFull && end === null) return found;
        const next = isFull ? { bucket: last.bucket, key: list.position(last.row) } : end;
        const [tweetId = reversed ? '0' : MAX_ID] = (next?.key ?? []).map(String);
        from = next && { bucket: next.bucket, key: [tweetId] };
        if (load.used().reads <= max.reads / 2) continue;
        edge = ['0', String(next?.bucket ?? 0), tweetId];
        return found;
      }
    },
    edge: () => edge,
  };
}
