import { randomFrom } from '../../src/kit/base/random';
import { forgetUsers, hasUser, replaceUserIds } from '../../src/features/tweet/record-user-ids';

const forget = (record: string, ...userIds: string[]) => forgetUsers(record, new Set(userIds));

test.each([
  ['a tweet of API v1.1', '{"id":1,"user":{"id":7,"id_str":"7"}}', '{"id":1,"user":{"id":0,"id_str":"0"}}'],
  [
    'white space, and what else has the number',
    '{ "retweet_count" : 7,\n "text": "I have 7 cats, and \\"user_id\\": 7", "user" : { "id" : 7 , "followers_count": 7 } }',
    '{ "retweet_count" : 7,\n "text": "I have 7 cats, and \\"user_id\\": 7", "user" : { "id" : 0 , "followers_count": 7 } }',
  ],
  [
    'a reply',
    '{"in_reply_to_user_id":7,"in_reply_to_user_id_str":"7","in_reply_to_status_id":7}',
    '{"in_reply_to_user_id":0,"in_reply_to_user_id_str":"0","in_reply_to_status_id":7}',
  ],
  [
    'mentions',
    '{"entities":{"user_mentions":[{"id":1,"indices":[7,8]},{"indices":[7,8],"id_str":"7"}],"urls":[{"id":7}]}}',
    '{"entities":{"user_mentions":[{"id":1,"indices":[7,8]},{"indices":[7,8],"id_str":"0"}],"urls":[{"id":7}]}}',
  ],
  [
    'a tweet in a tweet, and the source of a picture',
    '{"quoted_status":{"id":7,"user":{"id":7},"extended_entities":{"media":[{"id":7,"source_user_id":7}]}}}',
    '{"quoted_status":{"id":7,"user":{"id":0},"extended_entities":{"media":[{"id":7,"source_user_id":0}]}}}',
  ],
  ['contributors', '{"contributors":[1,7],"x":[7]}', '{"contributors":[1,0],"x":[7]}'],
  [
    'a tweet of API v2',
    '{"id":"7","author_id":"7","author":{"id":"7"},"entities":{"mentions":[{"start":7,"id":"7"}]},"public_metrics":{"like_count":7}}',
    '{"id":"7","author_id":"0","author":{"id":"0"},"entities":{"mentions":[{"start":7,"id":"0"}]},"public_metrics":{"like_count":7}}',
  ],
  [
    'referenced tweets',
    '{"referenced_tweets":[{"type":"quoted","id":"7","author_id":"7"}],"edit_history_tweet_ids":["7"]}',
    '{"referenced_tweets":[{"type":"quoted","id":"7","author_id":"0"}],"edit_history_tweet_ids":["7"]}',
  ],
  [
    'a row of a data frame',
    '{"tweet_id":"7","author_id":"7.0","user.id":"007","user.id (2)":" 7 ","text":"7","like_count":"7"}',
    '{"tweet_id":"7","author_id":"0.0","user.id":"0","user.id (2)":" 0 ","text":"7","like_count":"7"}',
  ],
  [
    'a row of Twint',
    `{"id":"7","user_id":"7","user_rt_id":"7","retweet_id":"7","reply_to":"[{'screen_name': '7', 'id': '7'}, {'id': '71'}]"}`,
    `{"id":"7","user_id":"0","user_rt_id":"0","retweet_id":"7","reply_to":"[{'screen_name': '7', 'id': '0'}, {'id': '71'}]"}`,
  ],
  [
    'objects printed as JSON',
    '{"mentions":"[{\\"id\\": 7, \\"name\\": \\"7\\"}]","user":"{\\"id_str\\":\\"7\\"}"}',
    '{"mentions":"[{\\"id\\": 0, \\"name\\": \\"7\\"}]","user":"{\\"id_str\\":\\"0\\"}"}',
  ],
  [
    'the address of a banner',
    '{"user":{"profile_banner_url":"https:\\/\\/pbs.twimg.com\\/profile_banners\\/7\\/7"}}',
    '{"user":{"profile_banner_url":"https:\\/\\/pbs.twimg.com\\/profile_banners\\/0\\/7"}}',
  ],
  [
    'an archive',
    '{"tweet":{"user_mentions":[{"id":"7"}]},"accountId":"7"}',
    '{"tweet":{"user_mentions":[{"id":"0"}]},"accountId":"0"}',
  ],
  ['the name 7', '{"author":"7","user":"7","username":"7"}', '{"author":"7","user":"7","username":"7"}'],
  [
    'others',
    '{"user":{"id":77},"author_id":"17","user_id":7.5}',
    '{"user":{"id":77},"author_id":"17","user_id":7.5}',
  ],
  ['what is no JSON', 'user_id: 7', 'user_id: 7'],
  ['nothing', '', ''],
])('of %s, only the ids of users are forgotten', (_what, record, expected) => {
  expect(forget(record, '7').record).toBe(expected);
  expect(hasUser(record, '7')).toBe(record !== expected);
  expect(hasUser(expected, '7')).toBe(false);
});

test('several users are forgotten at once', () => {
  const { record, forgotten } = forget('{"user_id":7,"author_id":"8","owner_id":9}', '7', '8', '10');
  expect(record).toBe('{"user_id":0,"author_id":"0","owner_id":9}');
  expect([...forgotten]).toEqual(['7', '8']);
});

test('a record of a megabyte is read in one pass', () => {
  const text = '\\ud83d\\ude00"'.replace('"', '\\"').repeat(60_000);
  const record = `{"text":"${text}","user_id":7}`;
  expect(forget(record, '7').record).toBe(`{"text":"${text}","user_id":0}`);
});

test('of random records, exactly the fields of users change, as a parser reads them', () => {
  const random = randomFrom(3);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const names = ['id', 'id_str', 'user', 'user_id', 'user_mentions', 'text', 'place', 'count', 'author_id'];
  const make = (depth: number): unknown => {
    const kind = Math.floor(random() * (depth > 4 ? 3 : 6));
    if (kind < 3) return pick([7, '7', 17, 'say "7", {7}', null, true, 7.5, [], {}]);
    if (kind === 3) return Array.from({ length: Math.floor(random() * 4) }, () => make(depth + 1));
    return Object.fromEntries(names.filter(() => random() < 0.4).map((name) => [name, make(depth + 1)]));
  };
  /** What a record should be, by what a parser makes of it: a list belongs to its name. */
  const expected = (value: unknown, name: string, owner: string): unknown => {
    if (Array.isArray(value)) return value.map((element) => expected(element, name, owner));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([member, inner]) => [member, expected(inner, member, name)]),
      );
    const isOfUser =
      name === 'user_id' ||
      name === 'author_id' ||
      (['id', 'id_str'].includes(name) && ['user', 'user_mentions'].includes(owner));
    return !isOfUser ? value : value === 7 ? 0 : value === '7' ? '0' : value;
  };
  for (let n = 0; n < 2000; n++) {
    const value = make(0);
    const indent = pick([0, 1, '\t']);
    const record = JSON.stringify(value, null, indent);
    expect(forget(record, '7').record).toBe(JSON.stringify(expected(value, '', ''), null, indent));
  }
});

test.each([
  ['a number', (zeros: string) => `{"user_id":"${zeros}x"}`],
  ['a printed id', (zeros: string) => `{"user":"{'id': ${zeros}."}`],
])('zeros before what is no id are read in time: %s', (_name, write) => {
  // In quadratic time, each of them would take minutes.
  const record = write('0'.repeat(300_000));
  expect(replaceUserIds(record, () => '1') === record).toBe(true);
});
