import { z } from 'zod';
import type { Random } from '../../src/kit/base/random';
import type { Client } from './client';
import type { Differences } from './differences';
import { seenPost, whyHidden } from './hidden';
import { inParallel } from './in-parallel';
import { pageOf } from './lists';
import type { Post } from './model';
import { chance, pickOne } from './random';
import { threadBelow, type ThreadRow, type ThreadView } from './threads';
import type { World } from './world';

/** How many threads each viewer looks at. */
const THREADS_EACH = 5;
const DEPTH = 20;
const VIEWS: readonly ThreadView[] = [
  { order: 'OLDEST', authorFirst: true, depth: DEPTH },
  { order: 'NEWEST', authorFirst: false, depth: 4 },
  { order: 'MOST_LIKED', authorFirst: true, depth: DEPTH },
];

const edge = z.object({
  tweetId: z.string(),
  depth: z.int(),
  hiddenReason: z.string().nullable(),
  node: z.object({ tweetId: z.string() }).nullable(),
  moreReplies: z.object({ count: z.int() }).nullable(),
});

function threadOperation({ order, authorFirst, depth }: ThreadView) {
  const given = `order: ${order}, authorFirst: ${authorFirst}, depth: ${depth}, perParent: 100, first: $first, after: $after`;
  return {
    name: 'Tweet.thread',
    source: `query ($id: ID!, $first: Int!, $after: String) { node(id: $id) { ... on Tweet { thread(${given}) {
      edges { tweetId depth hiddenReason node { tweetId } moreReplies { count } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } } }`,
    data: z.object({ node: z.object({ thread: pageOf(edge) }) }).transform(({ node }) => node.thread),
  };
}

const placeInThread = {
  name: 'Tweet.ancestors',
  source: `query ($id: ID!) { node(id: $id) { ... on Tweet { root { tweetId } inReplyTo { tweetId }
    ancestors(first: 40) { nodes { tweetId } } } } }`,
  data: z
    .object({
      node: z.object({
        root: z.object({ tweetId: z.string() }).nullable(),
        inReplyTo: z.object({ tweetId: z.string() }).nullable(),
        ancestors: z.object({ nodes: z.array(z.object({ tweetId: z.string() })) }),
      }),
    })
    .transform(({ node }) => node),
};

/** Compares the threads of all posts that have replies, and where replies are in them; some of them for each viewer. */
export async function compareThreads(
  world: World,
  service: Client,
  callers: ReadonlyMap<string, Client>,
  differences: Differences,
  random: Random,
): Promise<void> {
  const { model, everPosted } = world;
  const answered = new Set([...everPosted.values()].map(({ inReplyTo }) => inReplyTo));
  const tops = [...model.posts.values()].filter(({ tweetId }) => answered.has(tweetId));
  const replies = [...model.posts.values()].filter(({ inReplyTo }) => inReplyTo !== null);
  await inParallel(tops, async (top) => {
    const view = pickOne(random, VIEWS);
    if (view && (top.inReplyTo === null || chance(random, 0.2)))
      await compareThread(world, null, service, top, view, differences, random);
  });
  await inParallel(replies, (reply) => comparePlace(world, null, service, reply, differences));
  await inParallel(callers, async ([username, client]) => {
    const canSee = (post: Post) => whyHidden(model, username, seenPost(post), 'DIRECT') === null;
    for (let n = 0; n < THREADS_EACH; n++) {
      const [top, view] = [pickOne(random, tops.filter(canSee)), pickOne(random, VIEWS)];
      if (top && view) await compareThread(world, username, client, top, view, differences, random);
      const reply = pickOne(random, replies.filter(canSee));
      if (reply) await comparePlace(world, username, client, reply, differences);
    }
  });
}

async function compareThread(
  world: World,
  viewer: string | null,
  client: Client,
  top: Post,
  view: ThreadView,
  differences: Differences,
  random: Random,
): Promise<void> {
  const thread = threadOperation(view);
  const first = 2 + Math.floor(random() * 60);
  const got: ThreadRow[] = [];
  for (let after: string | null = null; ;) {
    const page: z.infer<typeof thread.data> = await client.ask(thread, { id: top.id, first, after });
    for (const { tweetId, depth, hiddenReason, node, moreReplies } of page.edges) {
      got.push({ tweetId, depth, hiddenReason, more: moreReplies?.count ?? 0 });
      const isShown = node !== null;
      differences.same(`whether ${tweetId} is shown in a thread`, isShown, hiddenReason === null);
    }
    after = page.pageInfo.endCursor;
    if (!page.pageInfo.hasNextPage) break;
  }
  const what = `thread of ${top.tweetId} ${view.order} for ${viewer ?? 'a service'}`;
  const told = (rows: readonly ThreadRow[]) => rows.map((row) => JSON.stringify(row));
  differences.sameList(what, told(got), told(threadBelow(world, top, view, viewer)));
}

async function comparePlace(
  world: World,
  viewer: string | null,
  client: Client,
  reply: Post,
  differences: Differences,
): Promise<void> {
  const { model } = world;
  const view = await client.ask(placeInThread, { id: reply.id });
  const isShown = (post: Post) =>
    model.posts.has(post.tweetId) &&
    (viewer === null || whyHidden(model, viewer, seenPost(post), 'THREAD') === null);
  const above = world.above(reply);
  const idOf = (post: Post | undefined) => (post && isShown(post) ? post.tweetId : null);
  const got = {
    root: view.root?.tweetId ?? null,
    inReplyTo: view.inReplyTo?.tweetId ?? null,
    ancestors: view.ancestors.nodes.map(({ tweetId }) => tweetId),
  };
  const expected = {
    root: idOf(above.at(-1)),
    inReplyTo: idOf(above[0]),
    ancestors: above
      .slice(0, 40)
      .filter(isShown)
      .reverse()
      .map(({ tweetId }) => tweetId),
  };
  differences.same(`place of ${reply.tweetId} for ${viewer ?? 'a service'}`, got, expected);
}
