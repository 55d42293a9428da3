import { NodeStartError } from '../../src/tools/embedded/errors';
import { startEmbedded } from '../../src/tools/embedded/embedded';

test('a DATA_DIR that is a file is refused by its name, before anything starts', async () => {
  const opened = startEmbedded({ dataDir: __filename, log: () => undefined });
  await expect(opened).rejects.toThrow(NodeStartError);
  await expect(opened).rejects.toThrow(/^DATA_DIR must be a folder .*ENOTDIR/);
});
