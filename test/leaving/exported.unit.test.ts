import { tables, writeFeatures } from '../../src/app';
import { acts } from '../../src/import/own/acts';
import { lineSchemas } from '../../src/import/own/lines';
import { isListTable } from '../../src/kit/cassandra/table';
import { exportedParts } from '../../src/write/account/write-export';

/** The tables that are kept by the id of a user and are not exported, and why. */
const NOT_EXPORTED: Readonly<Record<string, string>> = {
  account_deletions: 'an account that is being deleted comes nowhere',
  account_exports: 'it says how far exports are',
  bookmarks: 'bookmarks_by_user has them',
  deleted_by_author: 'what was deleted is gone',
  engagements_by_user: 'likes_by_user and tweets_by_author have them',
  fanout_modes: 'it says how tweets are pushed here',
  followees_by_name: 'it follows from follows and names',
  notifications_by_user: 'they follow from what others do',
  profiles_by_username: 'it is a copy of the user',
  pulled_by_user: 'it says how timelines are read here',
  recent_writers: 'its rows expire after some seconds',
  relations: 'following_by_user and hidden_by_user have the side of the person',
  timelines_by_user: 'they follow from what others post',
  top_tweets_by_author: 'it follows from likes',
  user_counts: 'they follow from lists',
  user_search_entries: 'they follow from names',
};

test('what is kept by the id of a user is exported, or is not for a reason', () => {
  const exported = exportedParts(writeFeatures).flatMap((part) => part.tables.map(({ name }) => name));
  const kept = tables.filter((table) => {
    const [owner = '', ...others] = table.partition;
    return (isListTable(table) || others.length === 0) && table.columns[owner]?.ids?.join() === 'User';
  });
  const names = new Set(kept.map(({ name }) => name));
  expect([...names].filter((name) => !exported.includes(name) && !(name in NOT_EXPORTED))).toEqual([]);
  expect(Object.keys(NOT_EXPORTED).filter((name) => exported.includes(name))).toEqual([]);
});

test('an import takes each file of an export but that of followers', () => {
  const names = exportedParts(writeFeatures).map(({ name }) => name);
  expect(names.filter((name) => !(name in lineSchemas))).toEqual(['followers']);
  expect(Object.keys(lineSchemas).filter((name) => !names.includes(name))).toEqual([]);
  expect([...Object.keys(acts), 'profile', 'tweets', 'following'].sort()).toEqual(
    Object.keys(lineSchemas).sort(),
  );
});

test('two features cannot export files of one name', () => {
  expect(() => exportedParts([...writeFeatures, ...writeFeatures])).toThrow('named profile: rename one');
});
