import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type ExportedJWKSCache,
  type JSONWebKeySet,
  jwksCache,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
  SignJWT,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { unauthenticated, unavailable } from '../../kit/base/errors';
import type { Caller } from '../../context';

/** The settings by which tokens are checked (RFC 7519). */
export interface TokenSettings {
  /**
   * A secret shared with the issuer of tokens, with the one before it while it is being replaced; or the address where the issuer
   * publishes its keys (JWKS).
   */
  readonly key:
    { readonly secret: string; readonly previousSecret: string | null } | { readonly jwksUrl: string };
  /** The issuer whose tokens are accepted; null accepts any issuer that has the key. */
  readonly issuer: string | null;
  /** The audience that a token must name; null accepts any. */
  readonly audience: string | null;
  /** The scope by which a token is that of a service; null if no token is. */
  readonly serviceScope: string | null;
  /** Whether tokens that never expire are accepted. */
  readonly allowNoExpiry: boolean;
  /** Whether tokens of `OWN_ISSUER` are accepted besides those of the issuer; their subject is a user's id. */
  readonly signsItself: boolean;
}

/**
 * Finds the caller of a request from its `Authorization` header. Rejects with `UNAUTHENTICATED` when the token is not valid,
 * and with `UNAVAILABLE` when the issuer's keys cannot be fetched.
 */
type IdentifyCaller = (authorization: string | undefined) => Promise<Caller>;

/** The issuer of the tokens that an embedded server signs for its users. */
export const OWN_ISSUER = 'murmuration';

/**
 * The only algorithms with a secret, so that a public key is never used as a secret, and a token with the algorithm `none` is never valid.
 */
const SECRET_ALGORITHMS = ['HS256', 'HS384', 'HS512'];

const KEY_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA'];

/** How many valid tokens are remembered, so that they need not be checked again. */
const MAX_REMEMBERED_TOKENS = 10_000;

/** How long, in milliseconds, a token is remembered at most: after that a withdrawn key is noticed. */
const MAX_REMEMBERED_MS = 60_000;

/** How long the keys of an issuer are used before they are fetched again, and at most while they cannot be fetched, in milliseconds. */
const KEYS_KEPT_MS = 60_000;
const KEYS_KEPT_IF_AWAY_MS = 600_000;
/** How long after a fetch that failed the keys are fetched again, in milliseconds. */
const ASKED_AGAIN_MS = 10_000;

/** When the tokens of callers expire, in milliseconds since 1970. */
const expiries = new WeakMap<Caller, number>();

/** When the token by which a caller was identified expires, in milliseconds since 1970; null if it does not, or there was none. */
export function findExpiry(caller: Caller): number | null {
  return expiries.get(caller) ?? null;
}

const anonymous: Caller = { kind: 'anonymous' };

/** Creates the function that finds callers. Without settings, no token is valid. */
export function createIdentify(settings: TokenSettings | null): IdentifyCaller {
  if (settings === null) {
    return (authorization) =>
      authorization === undefined
        ? Promise.resolve(anonymous)
        : Promise.reject(
            unauthenticated('This server has no key to check tokens with (JWT_SECRET, JWT_JWKS_URL).'),
          );
  }
  const verify = createVerifier(settings);
  const callers = new LRUCache<string, Caller>({ max: MAX_REMEMBERED_TOKENS });
  return async (authorization) => {
    if (authorization === undefined) return anonymous;
    const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization)?.[1];
    if (token === undefined) throw unauthenticated('The Authorization header must be `Bearer` and a token.');
    const cached = callers.get(token);
    if (cached) return cached;
    const claims = checkClaims(await verify(token));
    const caller = readCaller(claims, settings.serviceScope);
    const { exp } = claims;
    if (exp !== undefined) expiries.set(caller, exp * 1000);
    const leftMs = exp === undefined ? Infinity : exp * 1000 - Date.now();
    callers.set(token, caller, { ttl: Math.max(1, Math.min(leftMs, MAX_REMEMBERED_MS)) });
    return caller;
  };
}

function createVerifier({
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
    if (isKeyFetchError(error)) throw unavailable(error);
    if (error instanceof errors.JWTExpired) throw unauthenticated('The token has expired.');
    if (error instanceof errors.JWTClaimValidationFailed) {
      // The key has signed the claims: who sent them may know what is wrong with them.
      checkClaims(error.payload);
      if (error.claim === 'exp') throw unauthenticated('The token must say when it expires (`exp`).');
      if (error.claim === 'nbf')
        throw unauthenticated('The token must be valid now, but begins later (`nbf`).');
    }
    throw unauthenticated('The token must be valid for this server.');
  };
  if ('secret' in key) {
    const options = { ...claims, algorithms: SECRET_ALGORITHMS };
    const verifyBy = (secret: string) => {
      const bytes = new TextEncoder().encode(secret);
      return async (token: string) => (await jwtVerify(token, bytes, options)).payload;
    };
    const { previousSecret } = key;
    const verify = verifyBy(key.secret);
    const verifyByPrevious = previousSecret === null ? null : verifyBy(previousSecret);
    return (token) =>
      verify(token)
        .catch((error: unknown) => {
          if (verifyByPrevious === null || !(error instanceof errors.JWSSignatureVerificationFailed))
            throw error;
          return verifyByPrevious(token);
        })
        .catch(refuse);
  }
  const keys = keysOf(new URL(key.jwksUrl));
  return async (token) =>
    (await jwtVerify(token, keys, { ...claims, algorithms: KEY_ALGORITHMS }).catch(refuse)).payload;
}

/** The keys of an issuer. While it cannot be reached, the last ones are used for a while, and it is asked again only now and then. */
function keysOf(url: URL): JWTVerifyGetKey {
  const cache: Partial<ExportedJWKSCache> = {};
  const remote = createRemoteJWKSet(url, {
    cacheMaxAge: KEYS_KEPT_MS,
    [jwksCache]: cache as Record<string, never>,
  });
  let failed: { readonly at: number; readonly error: unknown } | undefined;
  let local: { readonly of: unknown; readonly keys: JWTVerifyGetKey } | undefined;
  /** The key of a token among the last ones. If there is none, another fetch might have brought it. */
  const findInLast = async (jwks: JSONWebKeySet, ...of: Parameters<JWTVerifyGetKey>) => {
    if (local?.of !== jwks) local = { of: jwks, keys: createLocalJWKSet(jwks) };
    try {
      return await local.keys(...of);
    } catch (error) {
      throw error instanceof errors.JWKSNoMatchingKey ? failed?.error : error;
    }
  };
  return async (...of) => {
    const { jwks, uat = 0 } = cache;
    const last = Date.now() - uat < KEYS_KEPT_IF_AWAY_MS ? jwks : undefined;
    if (last && failed && performance.now() - failed.at < ASKED_AGAIN_MS) return findInLast(last, ...of);
    try {
      const key = await remote(...of);
      failed = undefined;
      return key;
    } catch (error) {
      if (last === undefined || !isKeyFetchError(error)) throw error;
      failed = { at: performance.now(), error };
      return findInLast(last, ...of);
    }
  };
}

/** Whether an error comes from fetching the issuer's keys, which is not the token's fault. */
function isKeyFetchError(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return true;
  // An answer that is not JSON or has a status other than 200 gives an error without a class of its own.
  return [errors.JOSEError, errors.JWKSTimeout, errors.JWKSInvalid].some(({ code }) => code === error.code);
}

function readCaller({ iss, sub, scope }: Claims, serviceScope: string | null): Caller {
  const scopes = [scope ?? []].flat().flatMap((words) => words.split(' '));
  if (serviceScope !== null && scopes.includes(serviceScope))
    return { kind: 'service', issuer: iss ?? '', subject: sub ?? '' };
  if (sub === undefined || sub === '') throw unauthenticated('The token must name a subject (`sub`).');
  return { kind: 'person', issuer: iss ?? '', subject: sub };
}

const text = z
  .string({ error: 'text' })
  // The driver would store U+FFFD for each lone surrogate, so several subjects would become one.
  .refine((value) => !/\p{Surrogate}/u.test(value), 'well-formed Unicode');
const textOrList = z.union([text, z.array(text)], { error: 'text or a list of texts' });
const seconds = z.number({ error: 'a number of seconds since 1970' });

/** The claims that are read of a token (RFC 7519, section 4.1), and `scope`, which RFC 8693 has as text and some issuers as a list. */
const claimTypes = z.object({
  iss: text.optional(),
  sub: text.optional(),
  aud: textOrList.optional(),
  exp: seconds.optional(),
  nbf: seconds.optional(),
  iat: seconds.optional(),
  scope: textOrList.optional(),
});

type Claims = z.infer<typeof claimTypes>;

/** The claims of a token whose signature was checked. Throws `UNAUTHENTICATED`, which names the first that has another type. */
function checkClaims(payload: JWTPayload): Claims {
  const read = claimTypes.safeParse(payload);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const name = String(issue?.path[0]);
  const came = issue?.code === 'custom' ? 'has a lone surrogate' : `is ${nameType(payload[name])}`;
  throw unauthenticated(`The claim \`${name}\` of the token must be ${issue?.message ?? ''}, but ${came}.`);
}

/** Returns the name of a value's type in JSON. */
function nameType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** The claims of a token that is signed here; its issuer is `OWN_ISSUER` unless another is given. */
interface TokenClaims {
  readonly issuer?: string;
  readonly subject: string;
  readonly scope?: string;
  readonly audience: string | null;
}

/** Signs a token that is valid for `days` days. */
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
