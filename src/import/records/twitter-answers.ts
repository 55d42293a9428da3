import { isObject, stringAt, type JsonObject } from './json';
import { excerpt } from './row';

/** More bytes than the first name of an object, and than the text that an archive has before its array. */
export const MAX_OPENING_BYTES = 256;

/**
 * The members of answers of Twitter's APIs: a list that is not among them is a problem. An object that begins with one of them is such an
 * answer, not an element.
 */
export const answerMembers: ReadonlySet<string> = new Set([
  ...['data', 'includes', 'meta', 'errors', 'statuses', 'search_metadata'],
  ...['results', 'next', 'requestParameters', 'tweets', 'matching_rules'],
]);
/** The members of an answer that have elements. */
export const elementLists: ReadonlySet<string> = new Set(['data', 'statuses', 'results', 'tweets']);
/** The lists in `includes` that have elements, and the others. */
export const includedLists: ReadonlySet<string> = new Set(['users', 'tweets']);
export const otherIncludes: ReadonlySet<string> = new Set(['places', 'media', 'polls', 'topics']);

/** Whether an object is an answer of Twitter's APIs, by the name of its first member. */
export function isAnswer(source: string): boolean {
  const name = /^\s*\{\s*"(\w{1,64})"/.exec(source.slice(0, MAX_OPENING_BYTES))?.[1];
  return name !== undefined && answerMembers.has(name);
}

/** Returns the message of an answer of Twitter's APIs that has errors and nothing else; undefined if it is any other object. */
export function failureIn(answer: JsonObject): string | undefined {
  const errors = answer['errors'];
  if (!Array.isArray(errors) || [...elementLists].some((name) => name in answer)) return undefined;
  const messages = errors
    .filter(isObject)
    .map((error) => stringAt(error, 'detail') ?? stringAt(error, 'message'));
  return `it has errors instead of tweets: ${excerpt(messages.filter((text) => text !== undefined).join('; '))}`;
}
