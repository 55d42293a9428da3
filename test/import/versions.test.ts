import { chooseVersions } from '../../src/import/store/versions';
import { makeTweetRow } from '../../src/import/store/rows';
import { tweet } from '../support/harness';

type Completeness = 'cut' | 'copy' | undefined;
const authored = ([content, completeness]: readonly [string, Completeness]) => ({
  record: { ...tweet('1', '7', 1), content, ...(completeness !== undefined && { completeness }) },
  authorId: '7',
});

test.each<readonly [readonly (readonly [string, Completeness])[], string]>([
  [
    [
      ['The…', 'cut'],
      ['The sky…', 'cut'],
    ],
    'The sky…',
  ],
  [
    [
      ['The sky…', 'cut'],
      ['The…', 'cut'],
    ],
    'The sky…',
  ],
  [
    [
      ['The sky…', 'cut'],
      ['Sky', 'copy'],
    ],
    'Sky',
  ],
  [
    [
      ['The sky', undefined],
      ['The…', 'cut'],
      ['The sky is', 'copy'],
    ],
    'The sky',
  ],
  [
    [
      ['The s', 'cut'],
      ['The sky', 'copy'],
    ],
    'The sky',
  ],
  [
    [
      ['The sky', 'copy'],
      ['The s', 'cut'],
    ],
    'The sky',
  ],
  [
    [
      ['The sky…', 'cut'],
      ['Sky', undefined],
    ],
    'Sky',
  ],
  [
    [
      ['said “The…” https://t.co/a', 'cut'],
      ['said “The sky” today', 'copy'],
    ],
    'said “The sky” today',
  ],
])('%j, the one that stays is %j', (versions, content) => {
  const all = versions.map(authored);
  const { versions: chosen } = chooseVersions(all, new Map(), String);
  expect(chosen.get('1')?.authored?.record.content).toBe(content);
});

test('a cut one that is stored gives way to a copy, and a whole one does not', () => {
  for (const [stored, content] of [
    ['The…', 'The sky'],
    ['The', undefined],
  ] as const) {
    const { record, authorId } = authored([stored, undefined]);
    const rows = new Map([['1', { ...makeTweetRow(record, authorId) }]]);
    const { versions } = chooseVersions([authored(['The sky', 'copy'])], rows, String);
    expect(versions.get('1')?.authored?.record.content).toBe(content);
  }
});

type Links = Partial<Record<'inReplyToId' | 'sharedTweetId' | 'quotedTweetId', string>>;

test.each<readonly [Links, Links, Links]>([
  [{ inReplyToId: '5' }, {}, { inReplyToId: '5' }],
  [{ inReplyToId: '5' }, { inReplyToId: '6' }, { inReplyToId: '6' }],
  [{ inReplyToId: '5' }, { quotedTweetId: '6' }, { inReplyToId: '5', quotedTweetId: '6' }],
  [{ quotedTweetId: '5' }, {}, { quotedTweetId: '5' }],
  [{ sharedTweetId: '5' }, {}, { sharedTweetId: '5' }],
  [{ inReplyToId: '5' }, { sharedTweetId: '6' }, { sharedTweetId: '6' }],
  [{ sharedTweetId: '5' }, { inReplyToId: '6' }, { inReplyToId: '6' }],
])(
  'a tweet with the links %j, and then %j, has %j, at once and one after the other',
  (first, then, expected) => {
    const recordOf = (links: Links) => ({ record: { ...tweet('1', '7', 1), ...links }, authorId: '7' });
    const none = { inReplyToId: null, sharedTweetId: null, quotedTweetId: null };
    const before = makeTweetRow(recordOf(first).record, '7');
    for (const [records, stored] of [
      [[recordOf(first), recordOf(then)], []],
      [[recordOf(then)], [before]],
    ] as const) {
      const { versions } = chooseVersions(records, new Map(stored.map((row) => [row.tweetId, row])), String);
      const chosen = versions.get('1')?.authored;
      expect(chosen && makeTweetRow(chosen.record, '7')).toMatchObject({ ...none, ...expected });
    }
  },
);
