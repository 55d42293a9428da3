import type { Config } from './config';

/** Bytes of a secret that nobody guesses: as many as the hash has. */
const SAFE_SECRET_BYTES = 32;

/** What is allowed in the settings and yet unsafe, each as a sentence for the log. */
export function warningsOf({ jwt, cassandra }: Pick<Config, 'jwt' | 'cassandra'>): string[] {
  const warnings: string[] = [];
  if (jwt.secret !== null && Buffer.byteLength(jwt.secret) < SAFE_SECRET_BYTES)
    warnings.push(
      `JWT_SECRET should have at least ${SAFE_SECRET_BYTES} bytes (RFC 7518): a short one can be guessed`,
    );
  const isCluster = cassandra.contactPoints !== null;
  if (isCluster && (jwt.secret !== null || jwt.jwksUrl !== null)) {
    if (jwt.issuer === null)
      warnings.push('JWT_ISSUER is not set: a token by any issuer that has the key is good here');
    if (jwt.audience === null)
      warnings.push('JWT_AUDIENCE is not set: a token that was made for another service is good here too');
  }
  return warnings;
}
