import type { Random } from '../../src/kit/base/random';
import type { Actor } from './actor';
import type { Operation } from './api';
import { answered } from './client';
import type { Profile } from './news';
import { addComment, commentsByIds, ownNews, publishArticle, updateUser } from './news.operations';
import { chance, pickOne } from './random';
import { isBlocked } from './refused';
import { must } from './violation';

/** Publishes an article. */
export async function publish(actor: Actor, random: Random, step: number): Promise<void> {
  const { world, person, client } = actor;
  const { username } = person;
  const text = {
    title: `${username} reports ${step}`,
    body: `What happened at ${step}.`,
    tags: [`t${step}`],
  };
  const input = { ...text, idempotencyKey: `act ${step}` };
  const settled = answered(publishArticle, { input }, await client.settle(publishArticle, { input }));
  const { id, title, body, tags, publishedAt, author } = settled.data;
  world.noteAct(username, `publishArticle ${id}`, settled);
  world.model.news.articles.set(id, { id, ...text, publishedAt, author: username });
  const isAsGiven = JSON.stringify({ title, body, tags }) === JSON.stringify(text);
  must('The article must be as given', isAsGiven, settled);
  must('The author must be the caller with the current profile', isAsNow(actor, author), author);
  await tryAgain(actor, random, publishArticle, input, id);
  if (!chance(random, 0.3)) return;
  const [newest] = (await client.askOther(ownNews)).articles.nodes;
  must('An own article must be in the own list at once', newest?.id === id, { id, newest });
}

/** Comments on an article, often one of the actor's own. */
export async function comment(actor: Actor, random: Random, step: number): Promise<void> {
  const { world, person, client } = actor;
  const { news } = world.model;
  const own = chance(random, 0.4) ? news.articlesOf(person.username).reverse() : [];
  const about = pickOne(random, own.length > 0 ? own : [...news.articles.values()], 2);
  if (about === null) return;
  const input = {
    articleId: about.id,
    body: `${person.username} thinks ${step}`,
    idempotencyKey: `act ${step}`,
  };
  const result = await client.settle(addComment, { input });
  const isGone = result.kind === 'refusal' && result.code === 'NOT_FOUND' && world.mayBeAway(about.author);
  if (isGone || isBlocked(world, person.username, about.author, result)) {
    world.noteAct(person.username, `addComment on ${about.id}: ${result.code}`, result);
    return;
  }
  const settled = answered(addComment, { input }, result);
  const { id, body, createdAt, author, article } = settled.data;
  world.noteAct(person.username, `addComment ${id} on ${about.id}`, settled);
  news.comments.set(id, { id, articleId: about.id, author: person.username, body, createdAt });
  must('The comment must be as given', body === input.body, body);
  must('It must be on the article', article.id === about.id && article.title === about.title, article);
  must('The author must be the caller', author.username === person.username, author);
  must('commentCount must count the comment', article.commentCount > 0, article);
  await tryAgain(actor, random, addComment, input, id);
  if (!chance(random, 0.3)) return;
  const [view] = await client.askOther(commentsByIds, { ids: [id] });
  must('An own comment must exist at once', view?.body === body, { id, view });
}

/** Changes the actor's name, description or both, or removes the description. */
export async function rename(actor: Actor, random: Random, step: number): Promise<void> {
  const { world, person, client } = actor;
  const { profiles } = world.model.news;
  const name = `The ${person.username} of ${step}`;
  const description = chance(random, 0.3) ? null : `described at ${step}`;
  const input = pickOne(random, [{ name }, { description }, { name, description }]) ?? {};
  const settled = answered(updateUser, { input }, await client.settle(updateUser, { input }));
  world.noteAct(person.username, `updateUser ${JSON.stringify(input)}`, settled);
  const before = profiles.get(person.username) ?? { name, description };
  profiles.set(person.username, { ...before, ...input });
  must('The user must be as changed', isAsNow(actor, settled.data), settled);
  if (!chance(random, 0.3)) return;
  const view = await client.askOther(ownNews);
  must('An own change must show at once', isAsNow(actor, view), view);
}

function isAsNow({ world, person }: Actor, { name, description }: Profile): boolean {
  const now = world.model.news.profiles.get(person.username);
  return name === now?.name && description === now.description;
}

/** Repeats an answered mutation, with the same input or with another input under the same idempotency key. */
async function tryAgain(
  { client }: Actor,
  random: Random,
  operation: Operation<{ readonly id: string }>,
  input: { readonly body: string },
  id: string,
): Promise<void> {
  if (chance(random, 0.2)) {
    const again = await client.ask(operation, { input });
    must('A retry must answer as the first call did', again.id === id, again);
  }
  if (chance(random, 0.1)) {
    const other = { ...input, body: `${input.body} now` };
    const refused = await client.settle(operation, { input: other });
    const isConflict = refused.kind === 'refusal' && refused.code === 'CONFLICT';
    must('A key must not be accepted for another input', isConflict, { other, refused });
  }
}
