import { z } from 'zod';
import { MAX_FOLDER_BYTES } from '../../features/bookmark/bookmark.table';
import { MuteScope, MutedWordPlace } from '../../features/hidden/hidden.enums';
import { MAX_WORD_BYTES } from '../../features/hidden/hidden.table';
import {
  MAX_BODY_BYTES,
  MAX_COMMENT_BYTES,
  MAX_TAG_BYTES,
  MAX_TAGS,
  MAX_TITLE_BYTES,
} from '../../features/news/news.table';
import { MAX_CONTENT_BYTES, MAX_COUNTRY_BYTES, MAX_RAW_BYTES } from '../../features/tweet/tweet.table';
import { languageNamed } from '../../features/tweet/language';
import {
  MAX_DESCRIPTION_BYTES,
  MAX_NAME_BYTES,
  MAX_USERNAME_BYTES,
  MAX_USERNAME_CHARACTERS,
} from '../../features/user/user.table';
import { isId } from '../../kit/base/ids';
import { parseObject } from '../records/json';
import { RowError } from '../records/row';

const MAX_ID_DIGITS = 19;

const id = z.string().max(MAX_ID_DIGITS).refine(isId, 'must be an id');
const time = z
  .string()
  .max(30)
  .pipe(z.iso.datetime())
  .transform((text) => new Date(text));
const count = z.int().nonnegative().max(2_147_483_647);
/** A text of at most so many bytes, without lone surrogates: these would be stored as U+FFFD. */
const text = (maxBytes: number) =>
  z
    .string()
    .max(maxBytes)
    .refine((value) => value.isWellFormed() && Buffer.byteLength(value) <= maxBytes, {
      message: `must have at most ${maxBytes} bytes of Unicode`,
    });
const username = text(MAX_USERNAME_BYTES).min(1).max(MAX_USERNAME_CHARACTERS);
const person = { userId: id, username: username.optional() };
const given = <T extends z.ZodType>(type: T) => type.nullable().default(null);
const chosen = <T extends Readonly<Record<string, string>>>(values: T) =>
  given(z.array(z.enum(values)).min(1).max(10));

/** The schemas of the lines of each file. */
export const lineSchemas = {
  profile: z.object({
    userId: id,
    username,
    name: text(MAX_NAME_BYTES),
    description: given(text(MAX_DESCRIPTION_BYTES)),
    twitterAccount: given(username),
    createdAt: time,
  }),
  tweets: z.object({
    tweetId: id.refine((value) => value !== '0', 'must not be 0'),
    content: text(MAX_CONTENT_BYTES),
    createdAt: time,
    language: z
      .string()
      .max(8)
      .refine((tag) => tag === 'und' || languageNamed(tag) === tag, 'must be a language'),
    location: given(
      z.object({
        latitude: z.number().min(-90).max(90),
        longitude: z.number().min(-180).max(180),
        country: text(MAX_COUNTRY_BYTES).nullish(),
      }),
    ),
    inReplyToId: given(id),
    sharedTweetId: given(id),
    quotedTweetId: given(id),
    raw: given(text(MAX_RAW_BYTES)),
    importedLikes: given(count),
    importedShares: given(count),
    importedReplies: given(count),
    importedQuotes: given(count),
  }),
  following: z.object({ ...person, followedAt: time }),
  likes: z.object({ tweetId: id, likedAt: time }),
  bookmarks: z.object({ tweetId: id, bookmarkedAt: time, folder: text(MAX_FOLDER_BYTES) }),
  articles: z.object({
    articleId: id,
    title: text(MAX_TITLE_BYTES),
    body: text(MAX_BODY_BYTES),
    tags: given(z.array(text(MAX_TAG_BYTES)).max(MAX_TAGS)),
    publishedAt: time,
  }),
  comments: z.object({ commentId: id, articleId: id, body: text(MAX_COMMENT_BYTES), createdAt: time }),
  blocks: z.object({ ...person, blockedAt: time }),
  mutes: z.object({ ...person, mutedAt: time, until: given(time), scope: chosen(MuteScope) }),
  'muted-words': z.object({
    text: text(MAX_WORD_BYTES),
    mutedAt: time,
    until: given(time),
    where: chosen(MutedWordPlace),
    exceptFollowed: z.boolean(),
  }),
  'muted-threads': z.object({ tweetId: id, mutedAt: time }),
} as const;

/** The files that an import takes. `followers` is none of them: it has acts of others. */
export type FileName = keyof typeof lineSchemas;

/** A line of a file. */
export type LineOf<N extends FileName> = z.output<(typeof lineSchemas)[N]>;

/** Parses a line. Throws a `RowError` that says which value is wrong. */
export function parseLine<N extends FileName>(name: N, source: string): LineOf<N> {
  const object = parseObject(source);
  if (object === null) throw new RowError('no JSON object');
  const { success, data, error } = lineSchemas[name].safeParse(object);
  if (success) return data as LineOf<N>;
  const [issue] = error.issues;
  throw new RowError(`${issue?.path.join('.') ?? ''} cannot be read: ${issue?.message ?? ''}`);
}
