import { ask } from '../support/mutations';
import { ALWAYS, server } from './people';

/** A tweet whose word, hashtag, place and language no other test has, and what every field shows of such tweets. */
export function story(n: number) {
  const word = `found${n}`;
  const language = ['fr', 'es', 'it', 'pt', 'nl', 'sv'][n] ?? 'pl';
  const area = `{ south: ${10 * n}, west: 0, north: ${10 * n + 5}, east: 5 }`;
  const nodes = '{ nodes { tweetId } }';
  return {
    word,
    tweet: {
      content: `They ${word} it #${word}`,
      language,
      location: { latitude: 10 * n + 1, longitude: 1 },
    },
    shown: async (of = language) => {
      const data = (await ask(
        server,
        `{
          newest: searchTweets(words: ["${word}"], order: NEWEST) ${nodes}
          liked: searchTweets(words: ["${word}", "they"]) ${nodes}
          hashtag(name: "${word}") { newest: tweets ${nodes} liked: tweets(order: MOST_LIKED) ${nodes} }
          trendingHashtags(first: 100) { hashtag { name } count }
          tweetFrequency(${ALWAYS}, unit: DAY, language: "${of}") { count }
          tweetsInArea(area: ${area}, ${ALWAYS}) ${nodes}
          tweetHeatmap(area: ${area}, ${ALWAYS}, precision: 2) { count }
        }`,
      )) as Found;
      const { newest, liked, hashtag, tweetsInArea, trendingHashtags } = data;
      const trend = trendingHashtags.find(({ hashtag: { name } }) => name === word);
      return {
        lists: [newest, liked, hashtag?.newest, hashtag?.liked, tweetsInArea].map(
          (list) => list?.nodes.map(({ tweetId }) => tweetId) ?? [],
        ),
        authors: trend?.count ?? 0,
        frequency: sum(data.tweetFrequency),
        heat: sum(data.tweetHeatmap),
      };
    },
  };
}

interface Found {
  readonly newest: Nodes;
  readonly liked: Nodes;
  readonly hashtag: { readonly newest: Nodes; readonly liked: Nodes } | null;
  readonly trendingHashtags: readonly {
    readonly hashtag: { readonly name: string };
    readonly count: number;
  }[];
  readonly tweetFrequency: readonly { readonly count: number }[];
  readonly tweetsInArea: Nodes;
  readonly tweetHeatmap: readonly { readonly count: number }[];
}
interface Nodes {
  readonly nodes: readonly { readonly tweetId: string }[];
}

/** Tweets, newest first, in each of the five lists. */
export const everywhere = (...ids: readonly string[]) => Array.from({ length: 5 }, () => ids);
const sum = (counts: readonly { readonly count: number }[]) =>
  counts.reduce((total, { count }) => total + count, 0);

/** What is shown where no tweet of a story is left. */
export const nowhere = { lists: everywhere(), authors: 0, frequency: 0, heat: 0 };
