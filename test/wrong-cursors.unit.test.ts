import { execute, parse } from 'graphql';
import { createSchema } from '../src/app';

/** Reads that find a tweet by every key, and in every list two of them, of which the first is a reply. */
const load = Object.assign(
  (_statement: unknown, key: { readonly bucket?: number }) => {
    const row = (n: number, inReplyToId: string | null) => ({
      ...{ tweetId: String(n), userId: '1', authorId: '1', sharedTweetId: null, inReplyToId },
    });
    const rows = [row(2, '9'), row(1, null)];
    return Promise.resolve(key.bucket === undefined ? rows[0] : { rows, statics: { isSplit: null } });
  },
  { forget: () => undefined },
);

const sight = Object.assign(() => Promise.resolve(null), { isNobody: true });

test.each(['likers(before: "x") { nodes { userId } }', 'replies(before: "x") { nodes { tweetId } }'])(
  'a wrong cursor in each item of a list is an error that is handled, whatever the fields before it wait for: %s',
  async (field) => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    const document = parse(
      `{ tweet(tweetId: "1") { replies { nodes { inReplyTo { tweetId } ${field} } } } }`,
    );
    const { errors } = await execute({ schema: createSchema(), document, contextValue: { load, sight } });
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off('unhandledRejection', note);
    expect(errors?.map(({ extensions }) => extensions['code'])).toEqual(['BAD_USER_INPUT']);
    expect(unhandled).toEqual([]);
  },
);
