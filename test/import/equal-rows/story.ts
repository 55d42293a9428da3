import type { Harness } from '../../support/harness';
import { act, post, put } from '../../support/mutations';

/** The story, by mutations. Resolves to the user id of ada. */
export async function perform(server: Harness): Promise<string> {
  const people = new Map<string, { id: string; userId: string }>();
  for (const username of names) {
    const about = username === 'dee' ? {} : { description: `${username} writes` };
    const account = /^[AB]/.test(username) ? { twitterAccount: username } : {};
    const input = { username, name: `The ${username}`, ...about, ...account };
    people.set(username, await put(server, 'service', 'createUser', input));
  }
  const of = (username: string) => people.get(username) ?? { id: '', userId: '' };
  const follows = (follower: string, followee: string) =>
    act(server, of(follower).userId, 'followUser', { id: of(followee).id });
  const tweets = (author: string, input: Readonly<Record<string, unknown>>) =>
    post(server, of(author).userId, input);
  const does = (who: string, what: 'likeTweet' | 'shareTweet', { id }: { id: string }) =>
    act(server, of(who).userId, what, { id });

  await follows('cy', 'Bo');
  await follows('Ada', 'Bo');
  await follows('cy', 'Ada');
  const city = { latitude: 48.2, longitude: 16.4, country: 'Austria' };
  const opening = await tweets('Ada', { content: 'A #first one for @Bo and @cy, #Weather', location: city });
  const sea = { latitude: -1.5, longitude: 0 };
  const reply = await tweets('Bo', { content: 'Well said', inReplyTo: opening.id, location: sea });
  const quote = await tweets('cy', { content: 'Schaut euch das bitte an, es ist gut', quotes: reply.id });
  await does('dee', 'shareTweet', reply);
  await does('eve', 'shareTweet', opening);
  await does('Ada', 'shareTweet', opening);
  await tweets('Ada', { content: 'an answer', inReplyTo: reply.id, quotes: quote.id });
  await server.writeServices.outbox.idle();
  for (const follower of ['Bo', 'dee', 'eve', 'fay']) await follows(follower, 'Ada');
  for (const follower of ['Ada', 'fay']) await follows(follower, 'dee');
  for (const follower of ['Bo', 'dee', 'eve']) await follows(follower, 'cy');
  await server.writeServices.outbox.idle();
  const late = await tweets('Ada', { content: 'not pushed any more', language: 'de' });
  await tweets('cy', { content: 'pushed', inReplyTo: opening.id });
  await does('Bo', 'shareTweet', late);
  await does('Bo', 'likeTweet', opening);
  for (const who of ['Bo', 'dee', 'cy']) await does(who, 'likeTweet', late);
  for (const who of ['Ada', 'dee', 'cy']) await does(who, 'likeTweet', reply);
  await server.writeServices.outbox.idle();
  return of('Ada').userId;
}

/** The people of the story. */
export const names = ['Ada', 'Bo', 'cy', 'dee', 'eve', 'fay', 'Gus'];
