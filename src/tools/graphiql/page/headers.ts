/** The headers that the server gives to the visitor, as text for the headers editor; undefined if it gives none. */
export async function givenHeaders(): Promise<string | undefined> {
  const response = await fetch('/graphiql/headers.json').catch(() => null);
  if (!response?.ok) return undefined;
  const text = JSON.stringify(await response.json(), null, 2);
  return text === '{}' ? undefined : text;
}

/** A JSON Web Token (RFC 7519). */
const TOKEN = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g;

/**
 * Tokens expire. If the visitor has chosen to store headers, this replaces earlier tokens of the same person in them by the
 * given one. Everything else that the visitor wrote stays.
 */
export function renewKeptTokens(given: string): void {
  const [token] = given.match(TOKEN) ?? [];
  if (token === undefined) return;
  for (const [name, kept] of Object.entries<string>(localStorage)) {
    const renewed = kept.replace(TOKEN, (old) => (personOf(old) === personOf(token) ? token : old));
    if (renewed !== kept) localStorage.setItem(name, renewed);
  }
}

/** The person that a token names (issuer and subject), whether the token is valid or not; null if it cannot be read. */
function personOf(token: string): string | null {
  const [, payload = ''] = token.split('.');
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return JSON.stringify([Reflect.get(Object(claims), 'iss'), Reflect.get(Object(claims), 'sub')]);
  } catch {
    return null;
  }
}
