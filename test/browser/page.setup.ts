import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import startEngine from '../engine.setup';
import { findChromium } from './chromium';

/** Bundles the pages where they are not what its sources say, then starts the run's Cassandra. */
export default async function setUp(): Promise<void> {
  findChromium();
  const root = join(__dirname, '../..');
  execFileSync(process.execPath, [join(root, 'scripts/prepare.mjs')], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  await startEngine();
}
