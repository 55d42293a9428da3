import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TokenSettings } from './token';

/** What tokens depend on, of the settings. */
export interface JwtConfig {
  readonly jwt: Omit<TokenSettings, 'key' | 'signsItself'> & {
    readonly secret: string | null;
    readonly jwksUrl: string | null;
  };
  readonly dataDir: string;
}

/**
 * The key that tokens are checked by: as configured, else an embedded server's own; null where tokens cannot be checked.
 * With a secret an embedded server signs for itself; where an issuer publishes its keys, nobody else signs.
 */
export async function tokenSettings(
  { jwt, dataDir }: JwtConfig,
  embedded: boolean,
): Promise<TokenSettings | null> {
  const { secret: given, jwksUrl, ...claims } = jwt;
  if (jwksUrl !== null) return { key: { jwksUrl }, ...claims, signsItself: false };
  const secret = given ?? (embedded ? await ownSecret(dataDir) : null);
  return secret === null ? null : { key: { secret }, ...claims, signsItself: embedded };
}

/** The secret kept in `DATA_DIR`, made by whoever comes first. It appears whole: another process may read it then. */
async function ownSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'jwt-secret');
  const draft = `${path}.${randomUUID()}`;
  await mkdir(dataDir, { recursive: true });
  await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600 });
  try {
    await link(draft, path);
  } catch (error) {
    if (Reflect.get(Object(error), 'code') !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
  return readFile(path, 'utf8');
}
