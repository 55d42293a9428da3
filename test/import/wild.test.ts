import { startHarness, type Harness } from '../support/harness';
import { ask } from '../support/mutations';
import { importFiles } from './import-files';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});
beforeEach(() => server.empty());

const mira = { id: 7001, id_str: '7001', screen_name: 'mira_k', name: 'Mira K' };
const bo = { id: 7002, id_str: '7002', screen_name: 'bo_l', name: 'Bo L' };
const at = 'Tue Dec 06 05:31:41 +0000 2022';
const line = (...objects: readonly object[]) =>
  objects.map((object) => `${JSON.stringify(object)}\n`).join('');
const shown = async (tweetId: string, fields: string) =>
  ((await ask(server, `{ tweet(tweetId: "${tweetId}") { ${fields} } }`)) as { tweet: unknown }).tweet;

const whole = 'The sky at dusk, and every evening the same question. A slow film of #Murmuration over water';
const original = {
  created_at: at,
  id_str: '1599990000000000001',
  full_text: whole,
  user: bo,
  favorite_count: 5,
};
const cut = {
  ...original,
  full_text: undefined,
  text: 'The sky at dusk…',
  truncated: true,
  favorite_count: 9,
};
const retweet = (embedded: object) => ({
  ...{ created_at: at, id_str: '1600000000000000010', text: 'RT @bo_l: The sky at…', user: mira },
  retweeted_status: embedded,
});
const v2 = {
  data: [
    {
      ...{
        id: '1600000000000000010',
        author_id: '7001',
        text: 'RT @bo_l: The…',
        created_at: '2022-12-06T05:31:41Z',
      },
      referenced_tweets: [{ type: 'retweeted', id: original.id_str }],
    },
  ],
  includes: {
    users: [{ id: '7002', username: 'bo_l', name: 'Bo L' }],
    tweets: [
      {
        ...{
          id: original.id_str,
          author_id: '7002',
          text: 'The sky at dusk…',
          created_at: '2022-12-06T05:31:41Z',
        },
        public_metrics: { like_count: 9, retweet_count: 1, reply_count: 0 },
      },
    ],
  },
};

describe('a whole tweet', () => {
  const wholes = {
    'of API v1.1': line(original),
    'whose text is the extended one': line({
      ...cut,
      favorite_count: 5,
      extended_tweet: { full_text: whole },
    }),
    'of API v2 with a note': line({
      ...{ id: original.id_str, author_id: '7002', text: 'The sky at…', note_tweet: { text: whole } },
      ...{ created_at: '2022-12-06T05:31:41Z', public_metrics: { like_count: 5 } },
    }),
    'of a CSV file': `tweet_id,author_id,text,created_at,like_count\n${original.id_str},7002,"${whole}",2022-12-06T05:31:41Z,5\n`,
  };
  const copies = {
    'a cut record': line(cut),
    'a text that ends in …': line({ ...cut, truncated: false, text: 'The sky at dusk… https://t.co/AbCd' }),
    'a cut embedded copy': line(retweet(cut)),
    'an embedded copy with another text': line(
      retweet({ ...original, favorite_count: 9, full_text: 'The sky' }),
    ),
    'a quoted copy': line({ ...retweet({}), retweeted_status: undefined, quoted_status: cut }),
    'an included copy of API v2': line(v2),
    'a page of API v2 as one printed document': JSON.stringify(v2, null, 2),
  };
  const pairs = Object.entries(wholes).flatMap(([name, file]) =>
    Object.entries(copies).map(([copied, copy]) => [name, copied, file, copy] as const),
  );

  /** Each pair in both orders, in one import or in two: each of another tweet, which has the number of the case in its ids. */
  const cases = pairs.flatMap(([name, copied, file, copy], index) =>
    [true, false].map((isWholeFirst) => {
      const inOneImport = isWholeFirst === (index % 2 === 0);
      return { name, copied, file, copy, isWholeFirst, inOneImport };
    }),
  );
  const idOf = (id: string, index: number) => `${id.slice(0, 12)}${index}${id.slice(-3)}`.padEnd(19, '7');
  const ofCase = (text: string, index: number) =>
    [original.id_str, retweet({}).id_str].reduce((all, id) => all.replaceAll(id, idOf(id, index)), text);

  test('stays whole, whatever cut copy of it comes, whenever it comes', async () => {
    const [first, second] = [true, false].map((isFirst) =>
      cases.map(({ file, copy, isWholeFirst }, index) =>
        ofCase(isFirst === isWholeFirst ? file : copy, index),
      ),
    ) as [string[], string[]];
    const importSome = async (texts: readonly string[], inOneImport: boolean) => {
      const some = texts.filter((_, index) => cases[index % cases.length]?.inOneImport === inOneImport);
      const { refused, rejected } = await importFiles(server, Object.fromEntries(some.entries()));
      expect([refused, rejected]).toEqual([[], []]);
    };
    await importSome([...first, ...second], true);
    await importSome(first, false);
    await importSome(second, false);
    for (const [index, { name, copied, isWholeFirst, inOneImport }] of cases.entries()) {
      const tweet = await shown(idOf(original.id_str, index), 'content hashtags likeCount');
      // The last numbers that a source gives are taken, whatever becomes of the text.
      const expected = { content: whole, hashtags: ['Murmuration'], likeCount: isWholeFirst ? 9 : 5 };
      expect({ name, copied, isWholeFirst, inOneImport, tweet }).toEqual({
        ...{ name, copied, isWholeFirst, inOneImport },
        tweet: expected,
      });
    }
  });

  test('and a cut copy in one file are two rows, of which the second changes the counts only', async () => {
    const { table } = await importFiles(server, { a: line(original, retweet(cut)) });
    expect(table).toMatchObject({ 'rows read': 3, stored: 2, changed: 1, unchanged: 0, rejected: 0 });
    const again = await importFiles(server, { a: line({ ...cut, favorite_count: 9 }) });
    expect(again.table).toMatchObject({ 'rows read': 1, unchanged: 1 });
  });

  test('takes the place of a cut one, and a longer cut one that of a shorter', async () => {
    const texts = ['The…', 'The sky…', whole];
    for (const text of texts) {
      const { table } = await importFiles(server, { a: line({ ...original, full_text: text }) });
      expect(table).toMatchObject({ 'rows read': 1, [text === 'The…' ? 'stored' : 'changed']: 1 });
      expect(await shown(original.id_str, 'content')).toEqual({ content: text });
    }
  });
});

const flat =
  'author,content,country,date_time,id,language,latitude,longitude,number_of_likes,number_of_shares\n';
const ANOTHER = "the id is another author's tweet, or a spreadsheet has rounded it: ";

describe('an id that is the tweet of another author', () => {
  const first = 'mira_k,first of two,,12/01/2017 19:52,819633000000000000,en,,,5,1\n';
  const second = 'bo_l,second of two,,13/01/2017 08:10,819633000000000000,en,,,7,2\n';
  const authors = `{
    mira: user(username: "mira_k") { tweetCount tweets { nodes { content } } }
    bo: user(username: "bo_l") { tweetCount tweets { nodes { content } } }
  }`;

  test.each([true, false])('is rejected, in one import or not: %p', async (inOneImport) => {
    const files = inOneImport ? [flat + first + second] : [flat + first, flat + second];
    let last;
    for (const file of files) last = await importFiles(server, { a: file });
    expect(last?.rejected).toEqual([`${inOneImport ? 3 : 2}: ${ANOTHER}819633000000000000 is by mira_k`]);
    expect(last?.table).toMatchObject({ rejected: 1, [ANOTHER.slice(0, -2)]: 1 });
    expect(await ask(server, authors)).toEqual({
      mira: { tweetCount: 1, tweets: { nodes: [{ content: 'first of two' }] } },
      bo: { tweetCount: 0, tweets: { nodes: [] } },
    });
  });

  test('is not one of another author when a profile gives the author an id', async () => {
    await importFiles(server, { a: flat + first });
    await importFiles(server, { a: 'user_id,username\n7001,mira_k\n' });
    const csv =
      'tweet_id,author_id,text,created_at\n819633000000000000,7001,first of two,2017-01-12T19:52:00Z\n';
    expect((await importFiles(server, { a: csv })).table).toMatchObject({ unchanged: 1, rejected: 0 });
    expect(await ask(server, '{ user(username: "mira_k") { userId tweetCount } }')).toEqual({
      user: { userId: '7001', tweetCount: 1 },
    });
  });
});

const csv = 'tweet_id,author_id,text,created_at,replied_to\n';

describe('the summary of an import', () => {
  test('has each row once: stored, changed, unchanged or rejected by its reason', async () => {
    const rows = [
      '1600000000000000001,7001,one,2022-12-06T05:31:41Z,',
      '1600000000000000002,7001,two,2022-12-06T05:31:42Z,nan',
      '1600000000000000003,7001,three,someday,',
      '1600000000000000004,7001,four,2022-13-06T05:31:42Z,',
      ',7001,five,2022-12-06T05:31:42Z,x',
      '1600000000000000006,7001,six,2022-12-06T05:31:42Z,x',
      '1600000000000000001,7001,one,2022-12-06T05:31:41Z,',
      '1600000000000000002,7001,two again,2022-12-06T05:31:42Z,',
    ];
    const files = { a: `${csv}${rows.join('\n')}`, b: '1 2\n3 4 5\n1 2\n4 4\n', c: 'hello' };
    const first = await importFiles(server, files);
    expect(first.refused).toEqual([expect.stringContaining('no format fits the first line: hello.')]);
    expect(first.table).toEqual({
      'rows read': 12,
      stored: 5,
      changed: 1,
      unchanged: 2,
      rejected: 4,
      'created_at must be a time such as 2019-05-01T10:00:00Z': 2,
      'no tweet id': 1,
      'a user cannot follow themselves': 1,
      'values dropped': 1,
      replied_to: 1,
    });
    const again = await importFiles(server, { ...files, a: `${csv}${rows.slice(7).join('\n')}` });
    expect(again.table).toMatchObject({ 'rows read': 5, stored: 0, changed: 0, unchanged: 4, rejected: 1 });
  });

  test('tells people who are new from those who get a profile or have one', async () => {
    const users = 'user_id,username,name\n1,ada,Ada\n2,bo,Bo\n';
    await importFiles(server, { a: 'user,follower\nada,bo\n', b: '2 3\n' });
    expect((await importFiles(server, { a: users })).table).toMatchObject({ stored: 0, changed: 2 });
    const third = `${users}3,cy,Cy\n3,cy,Other\n4,cy,Dee\n`;
    expect((await importFiles(server, { a: third })).table).toEqual({
      ...{ 'rows read': 5, stored: 0, changed: 1, unchanged: 2, rejected: 2, 'values dropped': 0 },
      'the user already has a different profile': 1,
      'the username belongs to another user': 1,
    });
  });

  test('counts relations once that move to the ids of profiles, and those that are new', async () => {
    const followers = 'user,follower\nada,bo\nada,cy\ncy,bo\n';
    expect((await importFiles(server, { a: followers })).table).toMatchObject({ stored: 3, unchanged: 0 });
    const profiles = 'user_id,username\n1,ada\n2,bo\n3,cy\n';
    const { table } = await importFiles(server, { a: profiles, b: `${followers}bo,ada\n` });
    expect(table).toMatchObject({ 'rows read': 7, stored: 1, changed: 3, unchanged: 3 });
  });

  test('counts a profile that is not the stored one as a value, not as a row', async () => {
    const tweets = line(original, {
      ...original,
      id_str: '1599990000000000002',
      user: { ...bo, name: 'Bo Lo' },
    });
    const { table, rejected } = await importFiles(server, { a: tweets });
    expect(table).toMatchObject({ 'rows read': 2, stored: 2, rejected: 0, 'values dropped': 1, profile: 1 });
    expect(rejected).toEqual([]);
  });
});

describe('a file', () => {
  test('with any line ends has its rows', async () => {
    const rows = (end: string) =>
      [
        'tweet_id,author_id,text',
        '1600000000000000002,7001,hello',
        '1600000000000000003,7001,world',
        '',
      ].join(end);
    for (const end of ['\r', '\n', '\r\n']) {
      const { table } = await importFiles(server, { a: rows(end) });
      expect(table).toMatchObject({ 'rows read': 2, [end === '\r' ? 'stored' : 'unchanged']: 2 });
    }
  });

  test('whose header cannot be read is refused, and nothing of it is stored', async () => {
    const bytes = Buffer.from(
      'tweet_id,author_id,text,caf\xe9\n1600000000000000002,7001,hello,x\n',
      'latin1',
    );
    const message = 'the header, which is the first line, cannot be read: not valid UTF-8';
    for (const options of [{}, { format: 'tweets-csv' }]) {
      const { refused, table } = await importFiles(server, { a: bytes }, options);
      expect(refused).toEqual([message]);
      expect(table).toMatchObject({ 'rows read': 0 });
    }
  });

  test('of links has replies, and a tweet without one', async () => {
    const rows = [
      '1600000000000000001,7001,a question,2022-12-06T05:31:41Z,',
      '1600000000000000002,7002,an answer,2022-12-06T05:31:42Z,1600000000000000001',
      '1600000000000000003,7003,another answer,2022-12-06T05:31:43Z,"[""1600000000000000001""]"',
      '1600000000000000004,7003,no answer,2022-12-06T05:31:44Z,nan',
    ];
    expect((await importFiles(server, { a: csv + rows.join('\n') })).table).toMatchObject({ stored: 4 });
    expect(await shown('1600000000000000001', 'replyCount replies { nodes { tweetId } }')).toEqual({
      replyCount: 2,
      replies: { nodes: [{ tweetId: '1600000000000000003' }, { tweetId: '1600000000000000002' }] },
    });
    expect(await shown('1600000000000000004', 'inReplyTo { tweetId }')).toEqual({ inReplyTo: null });
  });

  test('of an archive is by the owner, whom account.js names', async () => {
    const account = {
      accountId: '7001',
      username: 'mira_k',
      accountDisplayName: 'Mira',
      createdAt: '2012-01-02T03:04:05.678Z',
    };
    const tweet = {
      id_str: '1600000000000000002',
      created_at: at,
      full_text: 'Q&amp;A',
      favorite_count: '3',
    };
    const part = (name: string, ...objects: readonly object[]) =>
      `window.YTD.${name}.part0 = ${JSON.stringify(objects, null, 2)}`;
    const files = {
      'tweets.js': part('tweets', { tweet }),
      'follower.js': part('follower', { follower: { accountId: '7002' } }),
      'following.js': part(
        'following',
        { following: { accountId: '7003' } },
        { following: { accountId: '7001' } },
      ),
    };
    const besides = { 'account.js': part('account', { account }) };
    const { rejected } = await importFiles(server, files);
    expect(rejected).toEqual([
      '2: no owner: an archive has it in account.js, which must be in the folder of the file',
      '2: no owner: an archive has it in account.js, which must be in the folder of the file',
      '2: no owner: an archive has it in account.js, which must be in the folder of the file',
      '7: no owner: an archive has it in account.js, which must be in the folder of the file',
    ]);
    const imported = await importFiles(server, { ...files, ...besides });
    expect(imported.table).toMatchObject({ 'rows read': 5, stored: 3, changed: 1, rejected: 1 });
    expect(
      await ask(
        server,
        '{ user(username: "mira_k") { userId name createdAt followerCount followingCount tweets { nodes { content likeCount } } } }',
      ),
    ).toEqual({
      user: {
        ...{
          userId: '7001',
          name: 'Mira',
          createdAt: '2012-01-02T03:04:05.678Z',
          followerCount: 1,
          followingCount: 1,
        },
        tweets: { nodes: [{ content: 'Q&A', likeCount: 3 }] },
      },
    });
  });
});

test('a tweet with a reply and a share is unchanged when its file is imported again, and a tweet is no reply to itself', async () => {
  const header =
    'tweet_id,author_id,text,created_at,like_count,retweet_count,reply_count,replied_to,retweeted';
  const file = {
    'tweets.csv': [
      header,
      '9207,78001,shared,2021-03-04T10:00:00Z,5,1,0,,',
      '9208,78002,RT,2021-03-05T10:00:00Z,0,0,0,,9207',
      '9209,78001,answered,2021-03-04T10:00:00Z,,,,,',
      '9210,78002,answer,2021-03-05T10:00:00Z,,,,9209,',
      '9211,78002,alone,2021-03-05T10:00:00Z,1,0,0,9211,',
    ].join('\n'),
  };
  const { table } = await importFiles(server, file);
  expect(table).toMatchObject({ 'rows read': 5, stored: 5 });
  expect(await shown('9211', 'inReplyTo { tweetId }')).toEqual({ inReplyTo: null });
  const again = await importFiles(server, file);
  expect(again.table).toMatchObject({ 'rows read': 5, unchanged: 5 });
});

test('a text with a lone surrogate is rejected, because its bytes would be others', async () => {
  const { rejected } = await importFiles(server, {
    'tweets.ndjson': line({ ...original, full_text: 'lone \ud83d surrogate' }),
  });
  expect(rejected).toEqual(['1: the text must be well-formed Unicode, but holds a lone surrogate']);
});
