import { flag, idOf, optional } from '../../kit/cassandra/column';
import type { Row } from '../../kit/cassandra/table';
import { list } from '../../kit/lists/list';
import { ref } from '../../kit/lists/node';
import { tweet } from '../tweet/tweet.node';

/** The replies of a conversation, by the tweet with which it begins. One that was deleted stays for the replies below it. */
export const threadEntries = list('thread_entries', {
  writeLoad: { rows: { reply: 1 }, bytes: 45, spread: { over: 'subjects' } },
  owner: { rootId: ref(tweet) },
  order: { tweetId: ref(tweet) },
  // A deleted reply has no author here if the author's account was deleted, too.
  also: { parentId: idOf('Tweet'), authorId: optional(idOf('User')), isGone: optional(flag) },
});

/** A reply in a conversation. */
export type ThreadEntry = Pick<Row<typeof threadEntries>, 'tweetId' | 'parentId' | 'authorId' | 'isGone'>;
