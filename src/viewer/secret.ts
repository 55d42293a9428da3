import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TokenSettings } from './token';

/** The settings that say how tokens are checked; see `Config`. */
interface JwtConfig {
  readonly dataDir: string;
  readonly jwt: {
    readonly secret: string | null;
    readonly jwksUrl: string | null;
    readonly issuer: string | null;
    readonly audience: string | null;
    readonly serviceScope: string;
  };
}

/** The key that tokens are checked by: as configured, else an embedded server's own; null where tokens cannot be checked. */
export async function tokenSettings(
  { jwt, dataDir }: JwtConfig,
  embedded: boolean,
): Promise<TokenSettings | null> {
  const { secret, jwksUrl, ...claims } = jwt;
  if (jwksUrl !== null) return { key: { jwksUrl }, ...claims };
  if (secret !== null) return { key: { secret }, ...claims };
  return embedded ? { key: { secret: await ownSecret(dataDir) }, ...claims } : null;
}

/** The secret kept in `DATA_DIR`, made by whoever comes first. */
async function ownSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'jwt-secret');
  await mkdir(dataDir, { recursive: true });
  await writeFile(path, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 }).catch(
    (error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    },
  );
  return readFile(path, 'utf8');
}
