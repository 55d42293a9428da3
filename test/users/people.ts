import { follow, person, startHarness, type Harness } from '../support/harness';
import { ask, codesOf, type Person } from '../support/mutations';

/** The server that the tests of a file ask. On it are Ada, and a follower of hers who is known by number only. */
export let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'ada'), follow('77', '1')]);
});
afterAll(() => server.close());

/** Signs up as an identity; the codes of what went wrong. */
export function signUp(identity: string, username: string, more: object = {}): Promise<string[]> {
  return codesOf(server, identity, 'createUser', { input: { username, name: 'A name', ...more } });
}

/** The user who is found by a username. */
export async function found(username: string): Promise<Person | null> {
  const data = await ask(server, `{ user(username: "${username}") { userId username } }`);
  return (data as { user: Person | null }).user;
}
