import { join } from 'node:path';
import { NodeStartError } from '../../src/tools/embedded/errors';
import { startEmbedded } from '../../src/tools/embedded/embedded';

test.each([
  ['that is a file', __filename, `mkdir '${__filename}'`],
  ['in a file', join(__filename, 'data'), `mkdir '${__filename}'`],
  ['where there can be no folders', '/proc/data', `mkdir '/proc`],
])('a DATA_DIR %s is refused by its name, before anything starts', async (_, dataDir, reason) => {
  const opened = startEmbedded({ dataDir, log: () => undefined });
  await expect(opened).rejects.toThrow(NodeStartError);
  await expect(opened).rejects.toThrow(
    new RegExp(
      `^DATA_DIR must be a folder that can be written to, or be free for a new one, but: .*${reason}`,
    ),
  );
});
