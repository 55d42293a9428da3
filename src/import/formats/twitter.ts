import { foreignPartIn, kindOfRecords, readJson } from '../records/json-file';
import { FileError, type Format } from '../records/record';
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
    const refuse = (head: Buffer) => {
      const foreign = foreignPartIn(head);
      if (foreign !== undefined) throw new FileError(foreign);
    };
    yield* readTwitterElements(readJson(bytes, refuse), await context?.owner());
  },
};
