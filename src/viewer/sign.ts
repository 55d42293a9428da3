import { randomUUID } from 'node:crypto';
import { OWN_ISSUER, signToken, type TokenSettings } from './token';

/** How many days a token is good that is signed here. */
export const TOKEN_DAYS = 30;

/** Signs tokens that a server of the same settings takes. */
export interface Signer {
  /** For a user, given by id; no other server takes it than one that signs for itself. */
  forUser(userId: string): Promise<string>;
  /** For an identity that nobody had before, and so has no user. */
  forNewIdentity(): Promise<string>;
  forService(): Promise<string>;
}

/** Makes what signs; null where only an issuer that publishes its keys can. */
export function createSigner({ key, issuer, audience, serviceScope }: TokenSettings): Signer | null {
  if (!('secret' in key)) return null;
  const { secret } = key;
  const by = issuer ?? OWN_ISSUER;
  return {
    forUser: (userId) => signToken(secret, { issuer: OWN_ISSUER, subject: userId, audience }, TOKEN_DAYS),
    // No number, which could be a user's id.
    forNewIdentity: () => signToken(secret, { issuer: by, subject: randomUUID(), audience }, TOKEN_DAYS),
    forService: () =>
      signToken(secret, { issuer: by, subject: 'service', scope: serviceScope, audience }, TOKEN_DAYS),
  };
}
