/** The tokens of JSON text. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]|[^\s{}[\]:,"]+/gs;

/** The members and columns of imported formats that have ids of users: `user_id`, `in_reply_to_user_id_str`, `authorId`, `user_rt_id`. */
const IDS_OF_USERS =
  /(?:(?:user|author|account|owner|contributor|recipient|sender|user_rt)_?ids?|contributors)(?:_str)?$/i;
/**
 * The members that have users, or lists of them, whose `id` and `id_str` are ids of users: `user`, `author`, `user_mentions`, `reply_to`.
 */
const USERS = /(?:users?|authors?|owner|accounts?|mentions|contributors|reply_to)$/i;
const ID = /^id(?:_str)?$/i;
const BANNER = /banner_?url$/i;

/** A number, also one that a data frame has written as a float. */
const NUMBER = /^("?\s*)0*(0|[1-9]\d*)(?:\.0*)?\s*"?$/;
/** The ids of users whom a cell of a table has as printed objects, as Python or JSON print them. */
const PRINTED_ID = /(['"]id(?:_str)?\\?['"]\s*:\s*(?:\\?['"])?)0*(0|[1-9]\d*)(?![\d.])/g;
/** The id of a user in the address of the picture above a profile. */
const BANNER_ID = /(profile_banners\\?\/)0*(\d+)/g;

/** The ids in a value are found by a pattern, whose first part comes before the digits, and whose second one is the id. */
function patternFor(name: string, owner: string, token: string): RegExp | null {
  if (IDS_OF_USERS.test(name) || (ID.test(name) && USERS.test(owner))) return NUMBER;
  if (!token.startsWith('"')) return null;
  return USERS.test(name) ? PRINTED_ID : BANNER.test(name) ? BANNER_ID : null;
}

/**
 * Replaces ids of users in the record of a tweet: in the fields that have such ids in the formats that are imported, and nowhere else.
 * `replace` gets an id without leading zeros, and returns the digits that take its place, or null to leave it as it is.
 */
export function replaceUserIds(record: string, replace: (id: string) => string | null): string {
  const containers: { readonly isArray: boolean; readonly name: string; readonly owner: string }[] = [];
  let [name, owner] = ['', ''];
  let isName = false;
  return record.replace(TOKEN, (token) => {
    const container = containers.at(-1);
    if (token === '{' || token === '[') {
      containers.push({ isArray: token === '[', name, owner });
      isName = token === '{';
    } else if (token === '}' || token === ']') containers.pop();
    else if (token === ':') isName = false;
    else if (token === ',') {
      isName = container?.isArray === false;
      // The elements of a list belong to its name.
      if (container?.isArray === true) ({ name, owner } = container);
    } else if (isName) {
      // Data frames name the columns of nested objects `user.id`; a second column of a name is called `user_id (2)`.
      const path = token
        .slice(1, -1)
        .replace(/ \(\d+\)$/, '')
        .split('.');
      [owner = '', name = ''] = [container?.name ?? '', ...path].slice(-2);
    } else {
      const pattern = patternFor(name, owner, token);
      if (pattern === null) return token;
      return token.replace(pattern, (found: string, before: string, id: string) => {
        const by = replace(id);
        return by === null ? found : before + by + found.slice(found.indexOf(id, before.length) + id.length);
      });
    }
    return token;
  });
}

/** The id in records in place of the ids of users whose accounts were deleted. */
const NOBODY = '0';

/** Removes the ids of users from the record of a tweet. Returns the record, and which of them it had. */
export function forgetUsers(
  record: string,
  userIds: ReadonlySet<string>,
): { readonly record: string; readonly forgotten: ReadonlySet<string> } {
  const forgotten = new Set<string>();
  // Most records have none of them, and this is much faster.
  const mayHave = Array.from(record.matchAll(/0*(\d+)/g)).some(([, digits = '']) => userIds.has(digits));
  if (!mayHave) return { record, forgotten };
  const changed = replaceUserIds(record, (id) => {
    if (id === NOBODY || !userIds.has(id)) return null;
    forgotten.add(id);
    return NOBODY;
  });
  return { record: changed, forgotten };
}

/** Whether the record of a tweet has the id of a user in a field that is for such ids. */
export function hasUser(record: string, userId: string): boolean {
  return forgetUsers(record, new Set([userId])).forgotten.size > 0;
}
