import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownerBeside } from '../../src/import/archive-owner';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'murmuration-owner-'));
});
afterEach(() => rm(folder, { recursive: true }));

const part = (account: string) => `window.YTD.account.part0 = [ {"account":${account}} ]`;
const message = (reason: string) => ({
  code: 'FILE_REFUSED',
  message: expect.stringMatching(`account\\.js .* cannot be read: .*${reason}`) as string,
});

describe('the account.js beside a part of an archive', () => {
  test.each([
    ['{"accountId":"7","username":"ada","createdAt":"someday"}', 'createdAt must be a time'],
    ['{"accountId":"7"}', 'no username'],
    ['{"accountId":"7","username":"ada"', ''],
  ])('that is damaged is refused by name: %s', async (account, reason) => {
    await writeFile(join(folder, 'account.js'), part(account));
    await expect(ownerBeside(join(folder, 'tweets.js'))).rejects.toMatchObject(message(reason));
  });

  test('names the owner, and one of something else or none names nobody', async () => {
    expect(await ownerBeside(join(folder, 'tweets.js'))).toBeUndefined();
    await writeFile(join(folder, 'account.js'), 'export const account = {};\n');
    expect(await ownerBeside(join(folder, 'tweets.js'))).toBeUndefined();
    await writeFile(join(folder, 'account.js'), part('{"accountId":"7","username":"ada"}'));
    expect(await ownerBeside(join(folder, 'tweets.js'))).toEqual({ userId: '7', username: 'ada' });
    await writeFile(join(folder, 'account.js'), part('{"accountId":1234567890123456789,"username":"ada"}'));
    expect(await ownerBeside(join(folder, 'tweets.js'))).toMatchObject({ userId: '1234567890123456789' });
  });
});
