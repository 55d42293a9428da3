import { optionalText } from '../../src/import/records/row';
import { tweetRecord } from '../../src/import/records/tweet';
import { languageNamed, loadDetector } from '../../src/features/tweet/language';
import { findHashtags, findMentions } from '../../src/write/tweet/text';

describe('the text of a tweet', () => {
  test('has hashtags: without sign, as written, once each', () => {
    expect(
      findHashtags('#Ada and #ada, again #Ada; #été ＃東京 #1 not#this https://example.com/#nor'),
    ).toEqual(['Ada', 'ada', 'été', '東京']);
    expect(findHashtags('none')).toEqual([]);
  });

  test.each([
    ['is cut', 'a film of #Murmu…', [], []],
    ['is cut, before a mark of the direction', 'a film of #Murmu…\u200f', [], []],
    ['is cut, before the address of the whole', 'by @ada, @bo… https://t.co/Abc1', [], ['ada']],
    ['is cut, but has the tag before', '#sky over the #sk… ', ['sky'], []],
    ['has an ellipsis within', '#sky… and @ada… here', ['sky'], ['ada']],
    ['names long people', 'ask @very_long_user_name_of_26c!', [], ['very_long_user_name_of_26c']],
    ['names people of imports', `@${'a'.repeat(500)} @${'b'.repeat(501)}`, [], ['a'.repeat(500)]],
    ['has the beginning of a name', '@josé @añb @ada@example.com @http://x', [], []],
    ['has addresses of mail', 'ada@example.com é@ada 9@ada', [], []],
    ['has no spaces', '今日@adaと、#空、@bo', ['空'], ['ada', 'bo']],
    ['has web addresses', 'https://medium.com/@ada/#sky example.com/@bo www.x.org/#y', [], []],
    ['has a domain without a path', 'Thanks.Next @ada night.World#x', [], ['ada']],
    ['has signs', '@@ada #@bo $@cy _@dy @', [], []],
    ['retweets', 'RT @ada: RT@bo: "@cy" (@dy) .@Ed', [], ['ada', 'bo', 'cy', 'dy', 'Ed']],
    ['is of Indian script', '#বাংলা #हिन्दी', ['বাংলা', 'हिन्दी'], []],
  ])('%s: %j', (_what, content, hashtags, mentions) => {
    expect([findHashtags(content), findMentions(content)]).toEqual([hashtags, mentions]);
  });

  test('has mentions: without sign, as written, once each', () => {
    expect(findMentions('.@Ada_1 hi @bob! @Ada_1 mail@example.com ＠cy')).toEqual(['Ada_1', 'bob', 'cy']);
    expect(findMentions('none')).toEqual([]);
  });
});

test('a value that shows nothing is as if it were missing, such as a name of a Hangul filler', () => {
  expect(['\u3164', ' \uFFA0\u2800 ', '\u200B', '', undefined].map(optionalText)).toEqual(
    Array(5).fill(undefined),
  );
  expect([' Ada ', '\u3164x'].map(optionalText)).toEqual(['Ada', '\u3164x']);
});

describe('the language of a text', () => {
  test('is what its source says if that is registered, and detected only if it says nothing', () => {
    const detected = () => 'fr';
    const dropped: string[] = [];
    const languageOf = (language: string | undefined) =>
      tweetRecord(
        {
          tweetId: '1',
          author: { userId: '1' },
          text: 'x',
          createdAt: new Date(0),
          language,
          location: undefined,
          raw: '',
        },
        detected,
        (column) => dropped.push(column),
      ).language;
    expect(['de', 'pt_BR', 'xx', 'en-a0000001', 'not a tag', ' ', undefined].map(languageOf)).toEqual([
      'de',
      'pt',
      'und',
      'en',
      'und',
      'fr',
      'fr',
    ]);
    expect(dropped).toEqual(['language', 'language']);
  });

  test.each([
    ['en', 'The weather in the mountains has been lovely all week, hasn’t it?'],
    ['fr', 'Je ne sais pas encore si nous viendrons demain, mais merci beaucoup'],
    ['de', 'Heute Abend gehen wir alle zusammen ins Kino und danach noch etwas essen'],
    ['es', 'Esta mañana hemos salido a pasear por la playa con los niños'],
    ['ja', '今日はとても天気がいいですね'],
    ['ar', 'الطقس جميل جدا اليوم في المدينة'],
    ['fil', 'Magandang umaga sa inyong lahat, kumusta na kayo ngayong araw'],
    ['ru', 'Сегодня очень хорошая погода, пойдём гулять в парк'],
  ])('is %s: %s', async (language, text) => {
    const languageOf = await loadDetector();
    const tweet = `@someone ${text} #Hashtag https://t.co/abcdef`;
    expect(['NFC', 'NFD'].map((form) => languageOf(tweet.normalize(form)))).toEqual([language, language]);
  });

  test.each(['', '🤣🤣', '@someone https://t.co/abcdef #Hello', '12:30 – 14:00', '\0'])(
    'is unknown: %j',
    async (text) => {
      expect((await loadDetector())(text)).toBe('und');
    },
  );

  test('is looked for in time, however many marks are on a letter', async () => {
    // In quadratic time, this would take minutes.
    expect((await loadDetector())(`12:30 ${'\u0301\u0316'.repeat(200_000)}`)).toBe('und');
  });

  test('is what the source says, in the form of today', () => {
    expect(['en', 'iw', 'in', 'zh_tw', 'qme', 'und', 'EN-gb'].map(languageNamed)).toEqual([
      'en',
      'he',
      'id',
      'zh',
      'und',
      'und',
      'en',
    ]);
    expect([undefined, '', 'English', 'e', 'de-1996-1996', 'xx', 'zz-Latn'].map(languageNamed)).toEqual(
      Array(7).fill(undefined),
    );
  });
});
