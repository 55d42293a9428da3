import { randomBytes } from 'node:crypto';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeStartError } from './errors';
import { asksForPassword, signsIn, type Credentials } from './probe';

/** The role that every new node has, and the password that it has at first. */
const initial: Credentials = { username: 'cassandra', password: 'cassandra' };

/** Milliseconds in which a new node must have its first role. */
const MAX_WAIT_MS = 30_000;

/** Makes a node's folder one that only its owner can read, and returns the password in it; the first call creates that. */
export async function readPassword(dir: string): Promise<string> {
  await chmod(dir, 0o700);
  const path = join(dir, 'password');
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (Reflect.get(Object(error), 'code') !== 'ENOENT') throw error;
  }
  const password = randomBytes(32).toString('base64url');
  await writeFile(`${path}.new`, password, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return password;
}

/** The credentials of a node's clients. */
export function credentialsOf(password: string): Credentials {
  return { username: initial.username, password };
}

/**
 * Waits until a node's role has the password of its folder, and gives it that if it still has its first one. A node that was started
 * without authentication, by an earlier version, stays so until its next start.
 *
 * @throws NodeStartError if the role has another password
 */
export async function setPassword(address: string, port: number, password: string): Promise<void> {
  if (!(await asksForPassword(address, port))) return;
  // The password has letters, digits, - and _ only.
  const change = `ALTER ROLE ${initial.username} WITH PASSWORD = '${password}'`;
  const until = performance.now() + MAX_WAIT_MS;
  while (performance.now() < until) {
    if (await signsIn(address, port, credentialsOf(password))) return;
    if (await signsIn(address, port, initial, change)) return;
    await sleep(50);
  }
  throw new NodeStartError(
    "Cassandra's role must have the password in the file password of its folder, but has another one: put the file back.",
  );
}
