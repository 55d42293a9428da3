import { readsOf } from '../../src/tools/testing/testing';
import { users } from '../../src/features/user/user.table';
import { updateProfile } from '../../src/write/user/sign-up';
import { UpdateUserInput } from '../../src/write/user/user.input';
import type { WriteServices } from '../../src/write/write-services';
import { createLoad } from '../../src/kit/reads/load';
import { startHarness } from '../support/harness';
import { ask, put } from '../support/mutations';
import { settled } from '../support/settled';
import { intend, leave, server } from '../takeover/leaving';

const PROFILE = '{ userId username name description twitterAccount createdAt }';
const byName = (username: string) => `{ user(username: "${username}") ${PROFILE} }`;

test('a username finds its user in one partition, and so does a number that is a user’s name', async () => {
  const input = { username: 'One_Row', name: 'One', description: 'row', twitterAccount: 'one_row_t' };
  const user = await put(server, 'one row', 'createUser', input);
  const answer = await server.query(byName('ONE_row'));
  expect(answer.data).toMatchObject({ user: { ...input, userId: user.userId } });
  expect(readsOf(answer)).toEqual(['profiles_by_username.get 1']);
  expect(await ask(server, '{ viewer { createdAt } }', 'one row')).toEqual({
    viewer: { createdAt: (answer.data as { user: { createdAt: string } }).user.createdAt },
  });
  await server.store([{ kind: 'follow', follower: { userId: '9100' }, followee: { userId: '1' } }]);
  const numbered = await server.query(byName('9100'));
  expect(numbered.data).toMatchObject({ user: { username: '9100', userId: '9100' } });
  expect(readsOf(numbered)).toEqual(['users.get 1']);
});

test('a name that nobody has is looked up in one partition', async () => {
  const answer = await server.query(byName('nobody_at_all'));
  expect(answer.data).toEqual({ user: null });
  expect(readsOf(answer)).toEqual(['profiles_by_username.get 1']);
});

test('a change is seen at once by its username, through another server, also of values that are removed', async () => {
  const beside = await startHarness({}, server);
  const input = { username: 'changing', name: 'Old', description: 'old', twitterAccount: 'changing_t' };
  await put(server, 'changing', 'createUser', input);
  const changes = [
    { name: 'New' },
    { description: 'new' },
    { twitterAccount: 'changing_new_t' },
    { twitterAccount: null },
    { description: null },
  ];
  let now: object = input;
  for (const change of changes) {
    await put(server, 'changing', 'updateUser', change);
    now = { ...now, ...change };
    const answer = await beside.query(byName('changing'));
    expect(answer.data).toMatchObject({ user: now });
    expect(readsOf(answer)).toEqual(['profiles_by_username.get 1']);
  }
  await beside.close();
});

test('of two changes at once, the copy has what the user has in the end', async () => {
  await put(server, 'twice', 'createUser', { username: 'twice', name: 'Zero' });
  const names = ['One', 'Two', 'Three', 'Four'];
  await Promise.all(names.map((name) => put(server, 'twice', 'updateUser', { name })));
  const { viewer } = (await ask(server, '{ viewer { name } }', 'twice')) as { viewer: { name: string } };
  expect(names).toContain(viewer.name);
  expect((await server.query(byName('twice'))).data).toMatchObject({ user: viewer });
});

describe('a server that is killed', () => {
  /** Does what a server does of a change before it is killed: it intends to copy it, and stores it. */
  async function changeWithoutCopy(
    writeServices: WriteServices,
    userId: string,
    name: string,
  ): Promise<void> {
    await intend(writeServices, 'profile', { userId });
    const user = await createLoad(writeServices.database)(users.get, { userId });
    if (user === null) throw new Error(`User ${userId} must be stored`);
    await updateProfile(writeServices, user, Object.assign(new UpdateUserInput(), { name }));
  }

  test('after it changed a user leaves the copy to another', async () => {
    const { userId } = await put(server, 'left', 'createUser', { username: 'left', name: 'Before' });
    await leave((writeServices) => changeWithoutCopy(writeServices, userId, 'After'));
    await settled(server);
    const answer = await server.query(byName('left'));
    expect(answer.data).toMatchObject({ user: { name: 'After' } });
    expect(readsOf(answer)).toEqual(['profiles_by_username.get 1']);
  });
});

test('a copy that comes late loses against a later one', async () => {
  const { userId } = await put(server, 'late', 'createUser', { username: 'late', name: 'First' });
  const [stored] = (await server.database.read(
    'SELECT CAST(WRITETIME(name) AS text) AS at FROM profiles_by_username WHERE username_folded = ?',
    ['late'],
  )) as { at: string }[];
  await put(server, 'late', 'updateUser', { name: 'Second' });
  await server.database.write(
    'UPDATE profiles_by_username USING TIMESTAMP ? SET name = ?, user_id = ? WHERE username_folded = ?',
    [stored?.at, 'First', userId, 'late'],
  );
  expect((await server.query(byName('late'))).data).toMatchObject({ user: { name: 'Second' } });
});
