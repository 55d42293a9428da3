import type { z } from 'zod';
import type { Client } from './client';
import type { Differences } from './differences';
import { hasWords, isOver } from './hidden';
import { inParallel } from './in-parallel';
import { mentionsIn, type Person, type Post } from './model';
import { isAfter, markOf } from './notification.act';
import { notificationsOf, type NotificationView } from './notification.operations';
import type { World } from './world';

/** The authors of so many tweets above a reply are told of it. */
const MAX_ANCESTORS = 5;
/** The most that a badge counts. */
const MAX_BADGE = 99;

/** A notification as the model knows it. Of some, it cannot be told whether they were made. */
interface Expected {
  readonly key: string;
  readonly actors: readonly string[];
  /** How many did it, whoever looks. */
  readonly count: number;
  readonly isSure: boolean;
}

/** Compares the notifications of everybody, with their groups and what was seen, and that the badge equals the list. */
export async function compareNotifications(
  world: World,
  service: Client,
  callers: ReadonlyMap<string, Client>,
  differences: Differences,
): Promise<void> {
  await inParallel(world.model.people.values(), async (person) => {
    const caller = callers.get(person.username);
    await compareOf(world, person, caller ?? service, caller !== undefined, differences);
  });
}

async function compareOf(
  world: World,
  person: Person,
  client: Client,
  isOwn: boolean,
  differences: Differences,
): Promise<void> {
  const { username } = person;
  const { views, badge } = await readAll(client, person);
  const sorted = [...views].sort((a, b) => (isAfter(markOf(a), markOf(b)) ? -1 : 1));
  const idOf = ({ id }: NotificationView) => id;
  differences.same(`notifications of ${username}, last listed first`, views.map(idOf), sorted.map(idOf));

  const expected = expectedFor(world, username, isOwn);
  const known = new Map(expected.map((one) => [one.key, one]));
  const keys = views.map(keyOf);
  const surplus = keys.filter((key, index) => !known.has(key) || keys.indexOf(key) !== index);
  const missing = expected.filter(({ key, isSure }) => isSure && !keys.includes(key)).map(({ key }) => key);
  differences.same(`notifications of ${username} that must not be`, surplus, []);
  differences.same(`notifications of ${username} that are missing`, missing, []);

  const mark = world.seen.get(username);
  for (const view of views) {
    const wanted = known.get(keyOf(view));
    if (wanted === undefined) continue;
    const what = `notification ${keyOf(view)} of ${username}`;
    const actors = view.actors.edges.map(({ node }) => node.username);
    differences.sameSet(`actors of ${what}`, actors, wanted.actors);
    differences.same(`actorCount of ${what}`, view.actorCount, wanted.count);
    const isSeen = mark !== undefined && !isAfter(markOf(view), mark);
    differences.same(`isSeen of ${what}`, view.isSeen, isSeen);
  }
  const unseen = views.filter(({ isSeen }) => !isSeen).length;
  const counted = { count: Math.min(unseen, MAX_BADGE), isCapped: unseen > MAX_BADGE };
  differences.same(`badge of ${username}`, badge, counted);
}

async function readAll(client: Client, { id }: Person) {
  const views: NotificationView[] = [];
  for (let after: string | null = null; ;) {
    const page: z.infer<typeof notificationsOf.data> = await client.ask(notificationsOf, {
      ...{ id, after },
      first: 40,
    });
    views.push(...page.notifications.edges.map(({ node }) => node));
    after = page.notifications.pageInfo.endCursor;
    if (!page.notifications.pageInfo.hasNextPage) return { views, badge: page.unreadNotifications };
  }
}

function keyOf({ kind, tweet, comment }: NotificationView): string {
  return `${kind} ${tweet?.tweetId ?? comment?.id ?? ''}`.trim();
}

/** What a user is told. A service sees it with all that blocks and mutes hide from the user. */
function expectedFor(world: World, username: string, isOwn: boolean): Expected[] {
  const { model } = world;
  const isShown = (actor: string) =>
    !isOwn ||
    (model.hidden.blockBetween(username, actor) === null &&
      !model.hidden.isMuted(username, actor, 'NOTIFICATIONS'));
  const own = [...model.posts.values()].filter(({ author }) => author === username);
  const groups = [
    { ...groupOf('FOLLOW', actorsOfFollows(world, username)), isSure: true },
    ...own
      .filter((post) => !isQuiet(world, username, post))
      .flatMap((post) => [
        {
          ...groupOf(`LIKE ${post.tweetId}`, model.likes.with(post.tweetId)),
          isSure: isSure(world, username, post),
        },
        {
          ...groupOf(`SHARE ${post.tweetId}`, model.shares.with(post.tweetId)),
          isSure: isSure(world, username, post),
        },
      ]),
  ];
  const comments = [...model.news.comments.values()].filter(
    ({ articleId }) => model.news.articles.get(articleId)?.author === username,
  );
  const singles = [
    ...[...model.posts.values()].flatMap((post) => singleOf(world, username, post, isOwn) ?? []),
    ...comments.map(({ id, author }) => ({ ...groupOf(`COMMENT ${id}`, [author]), isSure: true })),
  ];
  return [...groups, ...singles].flatMap((one) => {
    const actors = one.actors.filter((actor) => actor !== username);
    const shown = actors.filter(isShown);
    return shown.length === 0 ? [] : [{ ...one, actors: shown, count: actors.length }];
  });
}

function groupOf(key: string, actors: readonly string[]) {
  return { key, actors };
}

/** Who follows a user by an act: imported follows are no news. */
function actorsOfFollows({ model, importedFollows }: World, username: string): string[] {
  return model.follows.with(username).filter((follower) => !importedFollows.has(follower, username));
}

/** Whether it can be told if a user has muted the thread of a post. */
function isSure(world: World, username: string, post: Post): boolean {
  return !world.unsureThreads.has(`${username} ${world.rootOf(post)}`);
}

/** Whether a user has muted the thread of a post, as far as that can be told. */
function isQuiet(world: World, username: string, post: Post): boolean {
  return isSure(world, username, post) && world.model.hidden.threads.has(username, world.rootOf(post));
}

/** What a post tells a user: a mention, else a quote, else a reply. */
function singleOf(world: World, username: string, post: Post, isOwn: boolean) {
  const { model, everPosted } = world;
  if (post.author === username || !world.postedSince.has(post.tweetId)) return null;
  if (isOwn && hidesWords(world, username, post)) return null;
  const single = (kind: string, isMade: boolean) => {
    if (kind !== 'MENTION' && isQuiet(world, username, post)) return null;
    const key = `${kind} ${post.tweetId}`;
    return { key, actors: [post.author], isSure: isMade && isSure(world, username, post) };
  };
  const quoted = everPosted.get(post.quotes ?? '');
  const since = world.postedSince.get(post.tweetId) ?? 0;
  // Across a block, a mention is plain text.
  const isTold = !world.absences.everBegan(username) && !world.mayBeBlocked(post.author, username, since);
  if (mentionsIn(post).includes(username)) return single('MENTION', isTold);
  if (quoted?.author === username) return single('QUOTE', !world.isDeleted(quoted));
  const told = toldOfReply(world, post);
  const mayBeTold = told.may.includes(username);
  return mayBeTold && model.posts.has(post.tweetId) ? single('REPLY', told.must.includes(username)) : null;
}

/** Whom a reply tells as the author of a tweet above. That depends on what was deleted or blocked when it was posted. */
function toldOfReply(world: World, post: Post): { readonly must: string[]; readonly may: string[] } {
  const since = world.postedSince.get(post.tweetId) ?? 0;
  const must: string[] = [];
  const may: string[] = [];
  let isSure = true;
  for (const above of world.above(post).slice(0, MAX_ANCESTORS)) {
    if ((world.deletedAt.get(above.tweetId) ?? Infinity) < since) break;
    if (above.author !== post.author && world.isBlocked(post.author, above.author, since)) break;
    isSure &&= !world.isDeleted(above) && !world.mayBeBlocked(post.author, above.author, since);
    may.push(above.author);
    if (isSure) must.push(above.author);
  }
  return { must, may };
}

/** Whether a user mutes a word of a post, or of the one that it quotes, in notifications. */
function hidesWords({ model }: World, username: string, post: Post): boolean {
  const quoted = model.posts.get(post.quotes ?? '');
  return [...model.hidden.wordsOf(username).values()].some(
    (word) =>
      !isOver(word) &&
      (word.places === null || word.places.includes('NOTIFICATIONS')) &&
      !(word.exceptFollowed && model.follows.has(username, post.author)) &&
      [post, ...(quoted ? [quoted] : [])].some((one) => hasWords(one, word.words)),
  );
}
