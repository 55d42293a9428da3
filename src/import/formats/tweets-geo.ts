import { kindOfRecords, readJson } from '../records/json-file';
import type { Format } from '../records/record';
import { readTwitterElements } from '../records/twitter-rows';

/** Geotagged tweets as lines of JSON, whose authors have a screen name but no id. */
export const tweetsGeo: Format = {
  name: 'tweets-geo',
  summary: 'lines of JSON: geotagged tweets whose users have a screen_name and no id',
  detect: (head) => kindOfRecords(head) === 'geo',
  read: (bytes) => readTwitterElements(readJson(bytes), undefined),
};
