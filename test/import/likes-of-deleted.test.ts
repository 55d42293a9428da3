import { likeLists } from '../../src/features/like/like.lists';
import { storeLikes } from '../../src/import/store/likes';
import { person, startHarness } from '../support/harness';

test('an import leaves no rows of a like whose tweet is deleted meanwhile', async () => {
  const server = await startHarness();
  await server.store([person('1', 'ada')]);
  await storeLikes(server.database, [[{ tweetId: '404', userId: '1', likedAt: new Date() }]]);
  for (const { name } of likeLists)
    expect({ name, rows: (await server.database.run(`SELECT * FROM ${name}`)).length }).toEqual({
      name,
      rows: 0,
    });
});
