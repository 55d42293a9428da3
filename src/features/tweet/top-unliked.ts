import { BEFORE_ALL_IDS, MAX_ID } from '../../kit/base/ids';
import { collect } from '../../kit/lists/connection';
import type { Source } from '../../kit/lists/list-parts';
import type { RankedTweet, TopReading } from './top-reading';
import { decodeTopPosition, encodeTopPosition } from './top-position';
import { isOwn, readLikes } from './top-tweets';

/** How many rows of the newest are checked for likes at a time. */
const UNLIKED_AT_ONCE = 100;
/** How many times a page goes on after a bound of the newest list has ended a read. */
const CONTINUATIONS = 4;

/** The source of a list's tweets without likes, newest first. */
export function unlikedSource<N extends { readonly tweetId: string }>({
  load,
  sources: { newest, tweetOf, isVisible = () => true },
  bounds: { max },
  listed,
}: TopReading<N>): Source<RankedTweet> {
  return {
    async read({ after, reversed, limit }) {
      // If the liked tweets, which come first, have used so much, the next page begins here.
      if (after === undefined && !reversed && load.used().reads > max.reads / 2)
        return { rows: [], end: encodeTopPosition({ likes: 0, bucket: 0, tweetId: MAX_ID }), isCut: true };
      const found: RankedTweet[] = [];
      const list = await newest(load);
      const position = decodeTopPosition(after);
      let from = position && { bucket: position.bucket, key: [position.tweetId] };
      let continuations = CONTINUATIONS;
      for (let wanted = limit; ; wanted = UNLIKED_AT_ONCE) {
        // A row may take a read of its count and one of its tweet.
        const affordable = Math.floor((max.reads - load.used().reads) / 3);
        const size = Math.max(1, Math.min(wanted, UNLIKED_AT_ONCE, affordable));
        const { rows, end } = await collect(list, {
          limit: size - 1,
          backwards: reversed,
          from,
        });
        const likes = await readLikes(
          load,
          rows.map(({ row }) => row.tweetId),
        );
        // A tweet that got its first like after the rows of the liked ones were read stays here.
        const isUnliked = (tweetId: string, index: number) =>
          likes[index] === 0 || listed?.has(tweetId) === false;
        const unliked = rows.filter(({ row }, index) => isUnliked(row.tweetId, index));
        const read = await Promise.all(unliked.map(({ row }) => tweetOf(load, row)));
        const areShown = await Promise.all(read.map(async (tweet) => isOwn(tweet) && isVisible(tweet)));
        unliked.forEach(({ bucket }, index) => {
          const tweet = read[index];
          if (tweet == null || areShown[index] !== true) return;
          found.push({ tweetId: tweet.tweetId, likes: 0, bucket, tweet });
        });
        const lastFound = found[limit - 1];
        if (lastFound !== undefined)
          return { rows: found.slice(0, limit), end: encodeTopPosition(lastFound) };
        const last = rows.at(-1);
        const isFull = last !== undefined && rows.length >= size;
        if (!isFull && end === null) return { rows: found, end: null };
        const next = isFull ? { bucket: last.bucket, key: list.position(last.row) } : end;
        const [tweetId = reversed ? BEFORE_ALL_IDS : MAX_ID] = (next?.key ?? []).map(String);
        from = next && { bucket: next.bucket, key: [tweetId] };
        if (load.used().reads <= max.reads / 2 && (isFull || continuations-- > 0)) continue;
        const cutAt = { likes: 0, bucket: next?.bucket ?? 0, tweetId };
        return { rows: found, end: encodeTopPosition(cutAt), isCut: true };
      }
    },
  };
}
