/** What the server gives who opens the page, as the headers editor shows it; undefined when it gives nothing. */
export async function givenHeaders(): Promise<string | undefined> {
  const response = await fetch('/graphiql/headers.json').catch(() => null);
  if (!response?.ok) return undefined;
  const text = JSON.stringify(await response.json(), null, 2);
  return text === '{}' ? undefined : text;
}

/** A token as RFC 7519 writes it. */
const TOKEN = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g;

/**
 * Tokens expire: where the visitor keeps headers, earlier tokens of the same person give way to the one that is given
 * now. Whatever else the visitor wrote stays.
 */
export function renewKeptTokens(given: string): void {
  const [token] = given.match(TOKEN) ?? [];
  if (token === undefined) return;
  for (const [name, kept] of Object.entries<string>(localStorage)) {
    const renewed = kept.replace(TOKEN, (old) => (personOf(old) === personOf(token) ? token : old));
    if (renewed !== kept) localStorage.setItem(name, renewed);
  }
}

/** Whom a token names, whether it is good or not; null when it names nobody. */
function personOf(token: string): string | null {
  const [, payload = ''] = token.split('.');
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return JSON.stringify([Reflect.get(Object(claims), 'iss'), Reflect.get(Object(claims), 'sub')]);
  } catch {
    return null;
  }
}
