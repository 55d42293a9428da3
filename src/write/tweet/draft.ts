import type { GeoPoint } from '../../kit/cassandra/column';
import { badArgument } from '../../kit/base/errors';
import { checkedText } from '../../kit/input/input-text';
import type { Load } from '../../kit/reads/load';
import { encodeNodeId, idIn } from '../../kit/graphql/global-id';
import { isLanguageTag, languageNamed, loadDetector } from '../../features/tweet/language';
import { requireNoBlock } from '../../features/follow/block';
import type { TweetToPost } from './post-tweet';
import { findHashtags, findMentions } from './text';
import { CONTENT, COUNTRY, type CreateTweetInput, type LocationInput } from './tweet.input';
import { rootOf, type StoredTweet } from '../../features/tweet/tweet.table';
import { readOriginal } from '../../features/tweet/visible';

/** Checks the input of a new tweet. Throws `BAD_USER_INPUT` that names what is wrong. */
export function prepareTweet(load: Load, authorId: string, input: CreateTweetInput): TweetToPost {
  const content = checkedText('input.content', input.content, CONTENT);
  const location = input.location == null ? null : geoPointIn(input.location);
  if (input.language != null && !isLanguageTag(input.language))
    throw badArgument(
      'input.language',
      `must be a BCP 47 tag such as "en" or "pt-BR", but got: ${JSON.stringify(input.language.slice(0, 100))}`,
    );
  const language = input.language == null ? null : (languageNamed(input.language) ?? 'und');
  const inReplyTo = input.inReplyTo == null ? null : idIn('Tweet', input.inReplyTo, 'input.inReplyTo');
  const quotes = input.quotes == null ? null : idIn('Tweet', input.quotes, 'input.quotes');
  return {
    key: input.idempotencyKey ?? null,
    inReplyToId: inReplyTo,
    quotedTweetId: quotes,
    content: [content, inReplyTo, quotes, language, location],
    async draft() {
      const [parent, quoted] = await Promise.all([
        originalIn(load, authorId, 'inReplyTo', inReplyTo),
        originalIn(load, authorId, 'quotes', quotes),
      ]);
      return {
        content,
        language: language ?? (await loadDetector())(content),
        location,
        hashtags: findHashtags(content),
        mentions: findMentions(content),
        inReplyToId: parent?.tweetId ?? null,
        rootId: parent && rootOf(parent),
        quotedTweetId: quoted?.tweetId ?? null,
      };
    },
  };
}

async function originalIn(
  load: Load,
  authorId: string,
  field: string,
  tweetId: string | null,
): Promise<StoredTweet | null> {
  if (tweetId === null) return null;
  const original = await readOriginal(load, tweetId);
  if (original === null)
    throw badArgument(
      `input.${field}`,
      `must name a tweet that exists, but ${encodeNodeId('Tweet', tweetId)} does not.`,
    );
  await requireNoBlock(load, authorId, original.authorId);
  return original;
}

function geoPointIn({ latitude, longitude, country }: LocationInput): GeoPoint {
  if (!(Math.abs(latitude) <= 90))
    throw badArgument('input.location.latitude', `must be -90 to 90, but got: ${latitude}`);
  if (!(Math.abs(longitude) <= 180))
    throw badArgument('input.location.longitude', `must be -180 to 180, but got: ${longitude}`);
  return {
    latitude,
    longitude,
    country: country == null ? null : checkedText('input.location.country', country, COUNTRY),
  };
}
