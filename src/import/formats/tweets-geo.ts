import { objectAt, parseObject } from '../records/json';
import { readLines } from '../records/lines';
import type { Format } from '../records/record';
import { readTweetObjects } from '../records/twitter-rows';

/** Geotagged tweets as lines of JSON, whose authors have a screen name but no id. */
export const tweetsGeo: Format = {
  name: 'tweets-geo',
  summary: 'lines of JSON: geotagged tweets whose users have a screen_name and no id',
  detect(head) {
    const user = firstUser(head);
    return user !== undefined && !('id' in user) && !('id_str' in user);
  },
  read: (chunks) => readTweetObjects(readLines(chunks)),
};

/** The `user` of the first line of `head` that has one, or undefined. */
export function firstUser(head: string): ReturnType<typeof objectAt> {
  for (const line of head.split('\n')) {
    const user = objectAt(parseObject(line) ?? undefined, 'user');
    if (user !== undefined) return user;
  }
  return undefined;
}
