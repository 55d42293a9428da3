import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { unauthenticated, unavailable } from '../kit/base/errors';
import type { Caller } from '../context';

/** How tokens are checked (RFC 7519). */
export interface TokenSettings {
  /** A secret shared with whoever issues tokens, or where the issuer publishes its keys. */
  readonly key: { readonly secret: string } | { readonly jwksUrl: string };
  /** Whose tokens are good; null: whoever has the key. */
  readonly issuer: string | null;
  readonly audience: string | null;
  /** The scope that makes a token a service's. */
  readonly serviceScope: string;
  /** Whether tokens that never expire are good. */
  readonly allowNoExpiry: boolean;
  /** Whether tokens by `OWN_ISSUER` are good beside those of the issuer, and their subject is a user's id. */
  readonly signsItself: boolean;
}

/** Tells who sent a request from its `Authorization` header. Rejects with `UNAUTHENTICATED` when its token is not good. */
export type IdentifyCaller = (authorization: string | undefined) => Promise<Caller>;

/** The issuer of the tokens that an embedded server signs for its users. */
export const OWN_ISSUER = 'murmuration';

/** Only these, so that no public key is ever taken for a secret, and `none` is nothing. */
const SECRET_ALGORITHMS = ['HS256', 'HS384', 'HS512'];

const KEY_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA'];

/** How many good tokens are remembered until they expire. */
const MAX_REMEMBERED_TOKENS = 10_000;

/** How long at most, in milliseconds: a key that was withdrawn is noticed after that. */
const MAX_REMEMBERED_MS = 60_000;

const anonymous: Caller = { kind: 'anonymous' };

/** Makes what tells callers. Without settings no token is good. */
export function createIdentify(settings: TokenSettings | null): IdentifyCaller {
  if (settings === null) {
    return (authorization) =>
      authorization === undefined
        ? Promise.resolve(anonymous)
        : Promise.reject(
            unauthenticated('This server has no key to check tokens by (JWT_SECRET, JWT_JWKS_URL).'),
          );
  }
  const verify = verifierOf(settings);
  const known = new LRUCache<string, Caller>({ max: MAX_REMEMBERED_TOKENS });
  return async (authorization) => {
    if (authorization === undefined) return anonymous;
    const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization)?.[1];
    if (token === undefined) throw unauthenticated('The Authorization header must be `Bearer` and a token.');
    const before = known.get(token);
    if (before) return before;
    const payload = await verify(token);
    const caller = callerOf(payload, settings.serviceScope);
    const left = payload.exp === undefined ? Infinity : payload.exp * 1000 - Date.now();
    known.set(token, caller, { ttl: Math.max(1, Math.min(left, MAX_REMEMBERED_MS)) });
    return caller;
  };
}

function verifierOf({
  key,
  issuer,
  audience,
  allowNoExpiry,
  signsItself,
}: TokenSettings): (token: string) => Promise<JWTPayload> {
  const claims = {
    ...(issuer !== null && { issuer: signsItself ? [issuer, OWN_ISSUER] : issuer }),
    ...(audience !== null && { audience }),
    ...(!allowNoExpiry && { requiredClaims: ['exp'] }),
  };
  const refuse = (error: unknown): never => {
    if (isOfKeys(error)) throw unavailable(error);
    if (error instanceof errors.JWTExpired) throw unauthenticated('The token has expired.');
    const isEndless = error instanceof errors.JWTClaimValidationFailed && error.claim === 'exp';
    throw unauthenticated(
      isEndless ? 'The token must say when it expires (`exp`).' : 'The token must be good for this server.',
    );
  };
  if ('secret' in key) {
    const secret = new TextEncoder().encode(key.secret);
    return async (token) =>
      (await jwtVerify(token, secret, { ...claims, algorithms: SECRET_ALGORITHMS }).catch(refuse)).payload;
  }
  const keys = createRemoteJWKSet(new URL(key.jwksUrl));
  return async (token) =>
    (await jwtVerify(token, keys, { ...claims, algorithms: KEY_ALGORITHMS }).catch(refuse)).payload;
}

/** Whether an error came of fetching the keys, which is not the token's fault. */
function isOfKeys(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return true;
  // Whose answer is not 200 or no JSON makes an error without a class of its own.
  return [errors.JOSEError, errors.JWKSTimeout, errors.JWKSInvalid].some(({ code }) => code === error.code);
}

function callerOf({ iss, sub, scope }: JWTPayload, serviceScope: string): Caller {
  // Those of a token that others signed are of any type.
  const isText = (claim: unknown) => claim === undefined || typeof claim === 'string';
  if (!isText(iss) || !isText(sub))
    throw unauthenticated('The issuer and subject of the token must be texts.');
  const scopes = typeof scope === 'string' ? scope.split(' ') : [];
  if (scopes.includes(serviceScope)) return { kind: 'service', issuer: iss ?? '', subject: sub ?? '' };
  if (sub === undefined || sub === '') throw unauthenticated('The token must name a subject (`sub`).');
  return { kind: 'person', issuer: iss ?? '', subject: sub };
}

/** What a token that is signed here says; its issuer is `OWN_ISSUER` unless another is named. */
export interface TokenClaims {
  readonly issuer?: string;
  readonly subject: string;
  readonly scope?: string;
  readonly audience: string | null;
}

/** Signs a token, good for `days`. */
export async function signToken(secret: string, claims: TokenClaims, days: number): Promise<string> {
  const token = new SignJWT(claims.scope === undefined ? {} : { scope: claims.scope })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(claims.issuer ?? OWN_ISSUER)
    .setSubject(claims.subject)
    .setIssuedAt()
    .setExpirationTime(`${days} days`);
  if (claims.audience !== null) token.setAudience(claims.audience);
  return token.sign(new TextEncoder().encode(secret));
}
