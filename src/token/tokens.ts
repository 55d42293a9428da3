import type { Config } from '../config';
import { ConfigError } from '../kit/config/config';
import type { Database } from '../kit/cassandra/database';
import { createLoad } from '../kit/data/load';
import { userByUsername } from '../user/user-by-username';
import { tokenSettings } from '../viewer/secret';
import { createSigner, type Signer } from '../viewer/sign';

/** Makes what signs tokens for servers of these settings; `ConfigError` where only others can, or such tokens are not taken. */
export async function signerFor(config: Config, whom: 'users' | 'others'): Promise<Signer> {
  const embedded = config.cassandra.contactPoints === null;
  if (config.jwt.jwksUrl !== null) {
    throw new ConfigError(
      'JWT_JWKS_URL is set: whoever publishes those keys signs tokens, this server cannot.',
    );
  }
  if (whom === 'users' && !embedded) {
    throw new ConfigError(
      'On a cluster named by CASSANDRA_CONTACT_POINTS no token names a user: give an identity a user by the mutation createUser.',
    );
  }
  const settings = await tokenSettings(config, embedded);
  const signer = settings && createSigner(settings);
  if (signer === null) {
    throw new ConfigError(
      'JWT_SECRET must be set to sign tokens for a cluster named by CASSANDRA_CONTACT_POINTS.',
    );
  }
  return signer;
}

/** A token for each username, in their order. Throws, naming them, when some are nobody's. */
export async function tokensOfUsers(
  database: Database,
  signer: Signer,
  usernames: readonly string[],
): Promise<string[]> {
  const load = createLoad(database);
  const found = await Promise.all(usernames.map((username) => userByUsername(load, username)));
  const unknown = usernames.filter((_, index) => !found[index]);
  if (unknown.length > 0)
    throw new Error(`A username must be a user's, but got: ${unknown.map((name) => `"${name}"`).join(', ')}`);
  return Promise.all(found.flatMap((user) => (user ? [signer.forUser(user.userId)] : [])));
}
