import type { Config } from './config';

/** The bytes of a secret that cannot be guessed: as many as the hash has (RFC 7518, 3.2). */
const MIN_SAFE_SECRET_BYTES = 32;

/** Warnings about settings that are allowed but unsafe, each a sentence for the log. */
export function findWarnings({ jwt, cassandra }: Pick<Config, 'jwt' | 'cassandra'>): string[] {
  const warnings: string[] = [];
  const secrets = { JWT_SECRET: jwt.secret, JWT_PREVIOUS_SECRET: jwt.previousSecret };
  for (const [name, secret] of Object.entries(secrets))
    if (secret !== null && Buffer.byteLength(secret) < MIN_SAFE_SECRET_BYTES)
      warnings.push(
        `${name} should have at least ${MIN_SAFE_SECRET_BYTES} bytes (RFC 7518): a short one can be guessed`,
      );
  const isCluster = cassandra.contactPoints !== null;
  if (isCluster && (jwt.secret !== null || jwt.jwksUrl !== null)) {
    if (jwt.issuer === null)
      warnings.push('JWT_ISSUER is not set: a token of any issuer that has the key is accepted');
    if (jwt.audience === null)
      warnings.push(
        "JWT_AUDIENCE is not set: a token that was issued for another service is accepted, and none is a service's",
      );
  }
  return warnings;
}
