import { decodeNodeId, encodeNodeId } from '../../src/kit/graphql/global-id';
import { mayBeGone, put, remove, removeItem, storedConnections } from '../support/stored-lists';
import { idOf, momentOf, numberOf, ORIGINAL, OWNER, PAGE_FIELDS, type Listed } from './items';

/** The article that all comment on; its author is the owner of the other lists. */
export const ARTICLE = '901';

/** Whose list is walked, by the type of the objects that have it. */
const owners: Readonly<Record<string, string>> = { User: OWNER, Tweet: ORIGINAL, Article: ARTICLE };

const nth = (n: number) => ({ id: idOf(n), moment: momentOf(n) });

/** Every connection of a stored list. */
export const storedLists: readonly Listed[] = storedConnections.map((connection) => {
  const { name, field, of } = connection;
  const owner = owners[of.name];
  if (owner === undefined) throw new Error(`Say which ${of.name} has lists here.`);
  return {
    field: name,
    ask: (page) =>
      `{ user: node(id: "${encodeNodeId(of.name, owner)}") { ... on ${of.name} { list: ${field}(${page}) ${PAGE_FIELDS('id')} } } }`,
    numberOf: (key) => numberOf(decodeNodeId(key).id),
    put: (n) => put(connection, owner, nth(n)),
    // Now and then it is the item that is gone, with the row still on its way out.
    remove: (n) => [
      n % 3 === 0 && mayBeGone(connection)
        ? removeItem(connection, nth(n))
        : remove(connection, owner, nth(n)),
    ],
  };
});
