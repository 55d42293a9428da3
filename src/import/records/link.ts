import { parseId } from './id';
import { optionalValue, withoutFraction, type Drop } from './row';

/** The brackets of lists and tuples, quotes, also the curly ones of word processors, and what separates items, in JSON, Python and numpy. */
const around = /[\s[\](){}'"“”‘’,;]+/;
/** A number that a spreadsheet has grouped. It would be read as a list of short ids. */
const grouped = /^\d{1,3}(?:,\d{3})+$/;
/** The id of an object, as JSON or Python print it. */
const idOfObject = /['"]id(?:_str)?['"]\s*:\s*['"]?(\d+)['"]?\s*[,}]/;
const statusAddress = /^https?:\/\/(?:[\w-]+\.)*(?:twitter|x)\.com\/[^?#]*\/status(?:es)?\/(\d+)/i;

/**
 * Parses a link to another tweet as exports write it: an id, the address of a tweet, or a list of them, of which the first one counts
 * (`['123']`, `["123"]`, `[{'id': '123'}]`, `123.0`). Undefined if there is none (`[]`, `nan`, `None`). Any other text is dropped.
 */
export function optionalLink(name: string, text: string | undefined, drop: Drop): string | undefined {
  const value = optionalValue(text);
  if (value === undefined) return undefined;
  if (grouped.test(value)) {
    drop(name);
    return undefined;
  }
  const first = (idOfObject.exec(value)?.[1] ?? value)
    .split(around)
    .find((item) => optionalValue(item) !== undefined);
  if (first === undefined) return undefined;
  const digits = statusAddress.exec(first)?.[1] ?? /^(\d+)L$/.exec(first)?.[1] ?? withoutFraction(first);
  const id = parseId(digits);
  if (id !== null) return id;
  drop(name);
  return undefined;
}
