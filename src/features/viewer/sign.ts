import { randomUUID, randomBytes } from 'node:crypto';
import { makeFolder } from '../../kit/base/make-folder';
import { ConfigError } from '../../kit/config/config';
import { OWN_ISSUER, signToken, type TokenSettings } from './token';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How many days a token that is signed here is valid. */
export const TOKEN_DAYS = 30;

/** Signs tokens that a server with the same settings accepts. */
export interface Signer {
  /** Signs a token for the user with this id. Only a server that signs tokens itself accepts it. */
  forUser(userId: string): Promise<string>;
  /** Signs a token for a new identity, which has no user yet. */
  forNewIdentity(): Promise<string>;
  /** Signs a token for a service. Rejects if servers with these settings take no token for that of a service. */
  forService(): Promise<string>;
}

/** Creates a signer; null if the settings have no secret, so that only the issuer can sign. */
export function createSigner({ key, issuer, audience, serviceScope }: TokenSettings): Signer | null {
  if (!('secret' in key)) return null;
  const { secret } = key;
  const defaultIssuer = issuer ?? OWN_ISSUER;
  return {
    forUser: (userId) => signToken(secret, { issuer: OWN_ISSUER, subject: userId, audience }, TOKEN_DAYS),
    // The subject is not a number, because that could be a user's id.
    forNewIdentity: () =>
      signToken(secret, { issuer: defaultIssuer, subject: randomUUID(), audience }, TOKEN_DAYS),
    async forService() {
      if (serviceScope === null)
        throw new ConfigError(
          "JWT_AUDIENCE must be set on a cluster (CASSANDRA_CONTACT_POINTS) to sign for services: without it, no token is a service's.",
        );
      const claims = { issuer: defaultIssuer, subject: 'service', scope: serviceScope, audience };
      return signToken(secret, claims, TOKEN_DAYS);
    },
  };
}

/** The settings that concern tokens. */
interface JwtConfig {
  readonly jwt: Omit<TokenSettings, 'key' | 'signsItself' | 'serviceScope'> & {
    readonly serviceScope: string;
    readonly secret: string | null;
    readonly previousSecret: string | null;
    readonly jwksUrl: string | null;
  };
  readonly dataDir: string;
}

/**
 * Returns how tokens are checked: with the configured key, else with an embedded server's own secret; null if there is neither. An embedded
 * server with a secret also signs tokens itself. If an issuer publishes its keys, only that issuer signs.
 */
export async function tokenSettings(
  { jwt, dataDir }: JwtConfig,
  embedded: boolean,
): Promise<TokenSettings | null> {
  const { secret: given, previousSecret, jwksUrl, serviceScope: scope, ...others } = jwt;
  // A scope of that name may mean something else elsewhere: the token must say that it was made for this deployment.
  const claims = { ...others, serviceScope: embedded || jwt.audience !== null ? scope : null };
  if (jwksUrl !== null) return { key: { jwksUrl }, ...claims, signsItself: false };
  const secret = given ?? (embedded ? await ownSecret(dataDir) : null);
  return secret === null ? null : { key: { secret, previousSecret }, ...claims, signsItself: embedded };
}

/**
 * The secret in `DATA_DIR`; the first process that asks creates it. The file is linked when it is complete, because another
 * process may read it at once.
 */
async function ownSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'jwt-secret');
  const draft = `${path}.${randomUUID()}`;
  try {
    await makeFolder(dataDir);
    await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600 });
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR must be a folder that can be written to, unless JWT_SECRET is set, but: ${String(error)}`,
    );
  }
  try {
    await link(draft, path);
  } catch (error) {
    if (Reflect.get(Object(error), 'code') !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
  return readFile(path, 'utf8');
}
