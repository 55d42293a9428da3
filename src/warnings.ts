import type { Config } from './config';
import { isLoopbackHost } from './kit/config/address';

/** The bytes of a secret that cannot be guessed: as many as the hash has (RFC 7518, 3.2). */
const MIN_SAFE_SECRET_BYTES = 32;

/** Warnings about settings that are allowed but unsafe, each a sentence for the log. */
export function findWarnings({ jwt, cassandra }: Pick<Config, 'jwt' | 'cassandra'>): string[] {
  const warnings: string[] = [];
  if (jwt.secret !== null && Buffer.byteLength(jwt.secret) < MIN_SAFE_SECRET_BYTES)
    warnings.push(
      `JWT_SECRET should have at least ${MIN_SAFE_SECRET_BYTES} bytes (RFC 7518): a short one can be guessed`,
    );
  const jwks = jwt.jwksUrl === null ? null : new URL(jwt.jwksUrl);
  if (jwks?.protocol === 'http:' && !isLoopbackHost(jwks.hostname))
    warnings.push('JWT_JWKS_URL should be an https address: others on the way can replace its keys');
  const isCluster = cassandra.contactPoints !== null;
  if (isCluster && (jwt.secret !== null || jwt.jwksUrl !== null)) {
    if (jwt.issuer === null)
      warnings.push('JWT_ISSUER is not set: a token of any issuer that has the key is accepted');
    if (jwt.audience === null)
      warnings.push('JWT_AUDIENCE is not set: a token that was issued for another service is accepted');
  }
  return warnings;
}
