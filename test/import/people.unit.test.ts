import { followersCsv } from '../../src/import/formats/follows';
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
      'user_id must be a whole number from 1 to 2^63-1, but got: 1.5E+18. A spreadsheet or a float has rounded it',
    ]);
  });

  test('decodes names and descriptions once, and reads when an account was created', async () => {
    const [record] = recordsIn(
      await readAll(
        usersCsv,
        'user_id,name,username,description,created_at\n42.0,A &amp;amp; B,ada,&lt;3 &quot;x&quot;,2012-05-01 10:00:00+02\n',
      ),
    );
    expect(record).toMatchObject({
      userId: '42',
      name: 'A &amp; B',
      description: '<3 &quot;x&quot;',
      createdAt: new Date('2012-05-01T08:00:00Z'),
    });
    const parsed = await readAll(usersCsv, 'user_id,username,created_at\n42,ada,someday\n43,bo,NaT\n');
    expect(rejectsIn(parsed).map(({ rejected }) => rejected)).toEqual([
      'created_at must be a time such as 2019-05-01T10:00:00Z, but got: someday',
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
