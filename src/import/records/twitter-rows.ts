import { followOfArchive, NO_OWNER, userOfAccount } from './archive';
import { objectAt, parseObject, type JsonObject } from './json';
import { elementsIn, type Element } from './json-elements';
import { failureIn, isAnswer } from './twitter-answers';
import { memberSource } from './json-member';
import { loadDetector, type DetectLanguage } from '../../features/tweet/language';
import type { ImportRecord, Parsed, Person } from './record';
import { parsedRow, RowError, type Drop } from './row';
import { recordsOfTweetObject } from './twitter-object';
import { isV2Tweet, isV2User, recordsOfV2Tweet, userOfV2 } from './v2-object';

/** Twitter nests a quoted tweet in a shared one, and nothing deeper. */
const MAX_DEPTH = 2;
/** An answer may be an element of a file, and nothing nests one in another. Each level is parsed again, so thousands would take minutes. */
const MAX_ANSWER_DEPTH = 2;

/**
 * Reads records of Twitter: tweets of the APIs v1.1 and v2, users of the latter, and what an archive has. Each is a row, and so is each
 * tweet that is embedded in another one; embedded tweets come first. `owner` is the author of tweets that name none.
 */
export async function* readTwitterElements(
  elements: AsyncIterable<readonly Element[]>,
  owner: Person | undefined,
): AsyncGenerator<readonly Parsed[]> {
  const reading = { languageOf: await loadDetector(), owner };
  for await (const batch of elements) {
    const rows: Parsed[] = [];
    for (const element of batch) addRows(rows, element, reading);
    yield rows;
  }
}

interface Reading {
  readonly languageOf: DetectLanguage;
  readonly owner: Person | undefined;
}

function addRows(
  rows: Parsed[],
  { line, text, problem, included }: Element,
  reading: Reading,
  answers = 0,
): void {
  if (problem !== undefined) {
    rows.push({ line, rejected: problem, source: text });
    return;
  }
  const source = text.trim();
  if (source === '') return;
  const object = parseObject(source);
  if (object !== null && isAnswer(source)) {
    const failure =
      answers < MAX_ANSWER_DEPTH ? failureIn(object) : 'an answer within answers, which is not read';
    if (failure !== undefined) rows.push({ line, rejected: failure, source });
    if (answers === MAX_ANSWER_DEPTH) return;
    for (const element of elementsIn(Buffer.from(source)))
      addRows(rows, { ...element, line: line + element.line - 1 }, reading, answers + 1);
    return;
  }
  const wrapped = object === null || isTweet(object) ? undefined : objectAt(object, 'tweet');
  const add = (own: string, tweet: JsonObject | null, depth: number): void => {
    for (const embedded of embeddedIn(tweet, own, depth)) add(embedded, parseObject(embedded), depth + 1);
    const context = {
      isCopy: depth > 0 || included === 'tweets',
      isArchived: wrapped !== undefined,
      included,
    };
    rows.push(parsedRow(line, own, (drop) => readRecords(tweet, own, { ...context, drop, ...reading })));
  };
  if (wrapped === undefined) add(source, object, 0);
  else add(memberSource(source, 'tweet') ?? source, wrapped, 0);
}

/** Whether an object has an id of its own, unlike the objects that archives wrap others in. */
function isTweet(object: JsonObject): boolean {
  return 'id' in object || 'id_str' in object;
}

/** The sources of the tweets that are embedded in a tweet. */
function embeddedIn(object: JsonObject | null, source: string, depth: number): readonly string[] {
  if (object === null || depth >= MAX_DEPTH) return [];
  const name = objectAt(object, 'retweeted_status') === undefined ? 'quoted_status' : 'retweeted_status';
  if (objectAt(object, name) !== undefined) return [memberSource(source, name) ?? []].flat();
  if (!Array.isArray(object['referenced_tweets'])) return [];
  // Tools such as twarc put the whole tweet where the API only refers to it.
  const list = memberSource(source, 'referenced_tweets') ?? '[]';
  return elementsIn(Buffer.from(list))
    .map(({ text }) => text)
    .filter((text) => 'text' in (parseObject(text) ?? {}));
}

interface ElementReading extends Reading {
  readonly isCopy: boolean;
  readonly isArchived: boolean;
  readonly included: Element['included'];
  readonly drop: Drop;
}

/** The records of an object. Throws a `RowError` if it is none of those that are read. */
function readRecords(object: JsonObject | null, source: string, context: ElementReading): ImportRecord[] {
  if (object === null) throw new RowError('no JSON object');
  if (context.included === 'users' || isV2User(object)) return [userOfV2(object, () => source)];
  if (isV2Tweet(object)) return recordsOfV2Tweet(object, source, context);
  if (isTweet(object)) {
    if (context.isArchived && context.owner === undefined && objectAt(object, 'user') === undefined)
      throw new RowError(NO_OWNER);
    return recordsOfTweetObject(object, source, context);
  }
  const account = objectAt(object, 'account');
  if (account !== undefined) return [userOfAccount(account, () => memberSource(source, 'account'))];
  for (const name of ['follower', 'following'] as const)
    if (objectAt(object, name) !== undefined) return [followOfArchive(object, name, source, context.owner)];
  return recordsOfTweetObject(object, source, context);
}
