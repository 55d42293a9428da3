import { follow, person, startHarness, type Harness } from '../support/harness';
import { ask } from '../support/mutations';
import { take } from './rankings';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});

test('whoever is gone since a ranking was taken makes room for the next ones', async () => {
  const star = { username: 'star' };
  await server.store([
    ...['ada', 'bo', 'cy', 'dee', 'eva'].map((username, n) => person(String(n + 1), username)),
    ...['1', '2', '3'].map((userId) => ({ kind: 'follow' as const, follower: { userId }, followee: star })),
    ...[follow('1', '4'), follow('2', '4'), follow('1', '5')],
  ]);
  await take(server);
  const best = () => ask(server, '{ topAccounts(first: 2) { entries { rank score user { username } } } }');
  const dee = { score: 2, user: { username: 'dee' } };
  expect(await best()).toEqual({
    topAccounts: {
      entries: [
        { rank: 1, score: 3, user: star },
        { rank: 2, ...dee },
      ],
    },
  });
  // The profile brings the id of the user, who had one that was derived from the name.
  await server.store([person('6', 'star')]);
  expect(await best()).toEqual({
    topAccounts: {
      entries: [
        { rank: 1, ...dee },
        { rank: 2, score: 1, user: { username: 'eva' } },
      ],
    },
  });
});
