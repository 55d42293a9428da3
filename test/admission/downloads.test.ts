import { findExport } from '../../src/write/account/decide-export';
import { authorization, startHarness, type Harness } from '../support/harness';
import { act } from '../support/mutations';
import { RECORDS } from './ask';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store(RECORDS);
});
afterAll(() => server.close());

test('a download costs points for each chunk before it is sent, and is refused whole', async () => {
  await act(server, '1', 'requestExport', {});
  await server.writeServices.outbox.idle();
  const { chunks = 0 } = (await findExport(server.database, '1', 'user')) ?? {};
  const limited = await startHarness({ RATE_POINTS_PER_MINUTE: String(16 * chunks + 1) }, server);
  const headers = { authorization: await authorization('1') };
  const download = () => limited.inject({ url: '/export', headers });
  const [first, second] = [await download(), await download()];
  expect([chunks > 0, first.statusCode, first.headers['ratelimit']]).toEqual([
    true,
    200,
    expect.stringMatching(/^"points";r=1;/),
  ]);
  expect([second.statusCode, second.json()]).toMatchObject([
    429,
    { errors: [{ extensions: { code: 'RATE_LIMITED' } }] },
  ]);
  await limited.close();
});
