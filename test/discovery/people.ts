import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { person, startHarness, type Harness } from '../support/harness';

/** The server that the tests of a file ask, with eight people and nothing that they wrote. */
export let server: Harness;

/** Their user ids. */
export const PEOPLE = ['1', '2', '3', '4', '5', '6', '7', '8'];
beforeAll(async () => {
  server = await startHarness();
  await server.store(PEOPLE.map((id) => person(id, `user${id}`)));
});
afterAll(() => server.close());

/** The node id of a tweet. */
export const tweetNode = (tweetId: string) => encodeNodeId('Tweet', tweetId);

/** A period in which every tweet of the tests was written. */
export const ALWAYS = 'from: "2020-01-01T00:00:00Z", to: "2030-01-01T00:00:00Z"';
