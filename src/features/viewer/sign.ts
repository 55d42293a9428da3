import { randomUUID } from 'node:crypto';
import { OWN_ISSUER, signToken, type TokenSettings } from './token';

/** How many days a token that is signed here is valid. */
export const TOKEN_DAYS = 30;

/** Signs tokens that a server with the same settings accepts. */
export interface Signer {
  /** Signs a token for the user with this id. Only a server that signs tokens itself accepts it. */
  forUser(userId: string): Promise<string>;
  /** Signs a token for a new identity, which has no user yet. */
  forNewIdentity(): Promise<string>;
  /** Signs a token for a service. */
  forService(): Promise<string>;
}

/** Creates a signer; null if the settings have no secret, so that only the issuer can sign. */
export function createSigner({ key, issuer, audience, serviceScope }: TokenSettings): Signer | null {
  if (!('secret' in key)) return null;
  const { secret } = key;
  const defaultIssuer = issuer ?? OWN_ISSUER;
  return {
    forUser: (userId) => signToken(secret, { issuer: OWN_ISSUER, subject: userId, audience }, TOKEN_DAYS),
    // Not a number, because that could be a user's id.
    forNewIdentity: () =>
      signToken(secret, { issuer: defaultIssuer, subject: randomUUID(), audience }, TOKEN_DAYS),
    forService: () =>
      signToken(
        secret,
        { issuer: defaultIssuer, subject: 'service', scope: serviceScope, audience },
        TOKEN_DAYS,
      ),
  };
}
