import type { Config } from '../config';
import { ConfigError } from '../kit/config/config';
import type { Database } from '../kit/cassandra/database';
import { createLoad } from '../kit/reads/load';
import { userByUsername } from '../features/user/user-by-username';
import { tokenSettings, createSigner, type Signer } from '../features/viewer/sign';

/**
 * Creates a signer of tokens for servers with these settings. Throws a `ConfigError` if somebody else must sign the tokens,
 * or if servers with these settings do not accept tokens that name users.
 */
export async function signerFor(config: Config, whom: 'users' | 'others'): Promise<Signer> {
  const embedded = config.cassandra.contactPoints === null;
  if (config.jwt.jwksUrl !== null) {
    throw new ConfigError(
      'JWT_JWKS_URL is set: tokens are signed by whoever publishes those keys, not by this server.',
    );
  }
  if (whom === 'users' && !embedded) {
    throw new ConfigError(
      'On a cluster (CASSANDRA_CONTACT_POINTS) tokens do not name users: create a user for an identity with the mutation createUser.',
    );
  }
  const settings = await tokenSettings(config, embedded);
  const signer = settings && createSigner(settings);
  if (signer === null) {
    throw new ConfigError('JWT_SECRET must be set to sign tokens for a cluster (CASSANDRA_CONTACT_POINTS).');
  }
  return signer;
}

/** Signs a token for each username, in their order; null for one that no user has. */
export async function tokensOfUsers(
  database: Database,
  signer: Signer,
  usernames: readonly string[],
): Promise<(string | null)[]> {
  const load = createLoad(database);
  return Promise.all(
    usernames.map(async (username) => {
      const user = await userByUsername(load, username);
      return user && signer.forUser(user.userId);
    }),
  );
}

/**
 * Throws an error that lists the usernames that have no token, because no user has them, and names the folder of the database: the
 * server's may be another.
 */
export function requireAllTokens(
  usernames: readonly string[],
  tokens: readonly (string | null)[],
  dataDir: string,
): void {
  const unknown = usernames.filter((_, index) => tokens[index] === null);
  if (unknown.length > 0)
    throw new Error(
      `There is no user with the username: ${unknown.map((name) => `"${name}"`).join(', ')}, in the database in ${dataDir}. If the server has another folder, give its DATA_DIR.`,
    );
}
