import { kindOfRecords, readJson, refuseForeignPart } from '../records/json-file';
import type { Format } from '../records/record';
import { readTwitterElements } from '../records/twitter-rows';

/** The files of Twitter itself: tweets of its APIs, in lines, arrays or answers, and the parts of an archive. */
export const twitter: Format = {
  name: 'twitter',
  summary:
    "JSON of Twitter: tweets of API v1.1 or v2, and an archive's tweets, account, follower and following",
  detect: (head) => {
    const kind = kindOfRecords(head);
    return kind === 'twitter' || kind === 'empty';
  },
  async *read(bytes, context) {
    yield* readTwitterElements(readJson(bytes, refuseForeignPart), await context?.owner());
  },
};
