import { followersCsv } from '../../src/import/formats/followers-csv';
import { usersCsv } from '../../src/import/formats/users-csv';
import { readAll, recordsIn, rejectsIn } from './read';

describe('the CSV of users', () => {
  test('gives a profile on Twitter for each row', async () => {
    const parsed = await readAll(
      usersCsv,
      'user_id,name,username,_ts\r\n42,"Ada, Countess",ada,1\r\n7,,bob,2\r\n',
    );
    expect(recordsIn(parsed)).toEqual([
      { kind: 'user', userId: '42', username: 'ada', name: 'Ada, Countess', onTwitter: true },
      { kind: 'user', userId: '7', username: 'bob', name: 'bob', onTwitter: true },
    ]);
  });

  test('finds its columns by name and takes a description where there is one', async () => {
    const parsed = await readAll(usersCsv, 'username,description,user_id\nada,computes,42\n');
    expect(recordsIn(parsed)).toEqual([
      { kind: 'user', userId: '42', username: 'ada', name: 'ada', onTwitter: true, description: 'computes' },
    ]);
  });

  test('rejects rows without an id or a username, and ids that went through a float', async () => {
    const parsed = await readAll(usersCsv, 'user_id,name,username\n,Ada,ada\n4,Bob,\n1.5E+18,Cy,cy\n');
    expect(rejectsIn(parsed).map((row) => row.rejected)).toEqual([
      'no user_id',
      'no username',
      'user_id must be a whole number from 1 to 2^63-1, but got: 1.5E+18',
    ]);
  });

  test('keeps names that break the rules for usernames made here', async () => {
    const [record] = recordsIn(
      await readAll(usersCsv, `user_id,name,username\n1,Ada,a-name.of ${'x'.repeat(40)}\n`),
    );
    expect(record).toMatchObject({ username: `a-name.of ${'x'.repeat(40)}` });
  });
});

describe('the CSV of followers', () => {
  test('gives a follow between usernames', async () => {
    expect(recordsIn(await readAll(followersCsv, 'user,follower\nada,bob\n'))).toEqual([
      { kind: 'follow', follower: { username: 'bob' }, followee: { username: 'ada' } },
    ]);
  });

  test('rejects a row that lacks a name or names one person twice', async () => {
    const parsed = await readAll(followersCsv, 'user,follower\nada,\n,bob\nada,ADA\n');
    expect(rejectsIn(parsed).map((row) => row.rejected)).toEqual([
      'no follower',
      'no user',
      'a user cannot follow themselves',
    ]);
  });
});
