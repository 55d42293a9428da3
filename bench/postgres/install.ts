import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '../measure';
import { NoPostgres } from './cluster';

/** Installs PostGraphile if it is not installed: 60 MB that nothing else needs. Throws `NoPostgres` if that fails. */
export function installPostGraphile(): void {
  const cwd = join(__dirname, '../../../bench/postgraphile');
  if (existsSync(join(cwd, 'node_modules/postgraphile'))) return;
  say('Installing PostGraphile');
  const { status } = spawnSync(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  if (status !== 0) throw new NoPostgres('PostGraphile could not be installed');
}
