/** Who is signed in: kept in the browser, so that a page that is loaded again stays signed in. */
export interface Session {
  readonly username: string;
  readonly token: string;
}

const KEY = 'murmuration-session';

export function storedSession(): Session | null {
  const text = localStorage.getItem(KEY);
  return text === null ? null : (JSON.parse(text) as Session);
}

export function storeSession(session: Session | null): void {
  if (session === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, JSON.stringify(session));
}

/**
 * Signs somebody in. An identity provider does this elsewhere; here the server of the page gives a token to anybody on this machine.
 * Throws an `Error` with a message for people.
 */
export async function signIn(username: string): Promise<Session> {
  const response = await fetch('/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username }),
  });
  const answer = (await response.json()) as { token?: string; username?: string; message?: string };
  if (answer.token === undefined || answer.username === undefined)
    throw new Error(answer.message ?? `Signing in failed (${response.status}).`);
  return { token: answer.token, username: answer.username };
}

/** The address of the API, which the server of the page knows. */
export async function apiAddress(): Promise<string> {
  const response = await fetch('/settings.json');
  return ((await response.json()) as { api: string }).api;
}

/** Usernames of a few people; none while the API does not answer. */
export async function peopleToBegin(): Promise<readonly string[]> {
  const response = await fetch('/people.json');
  return ((await response.json()) as { people: readonly string[] }).people;
}
