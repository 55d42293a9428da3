import { languageNamed, loadLanguageOf } from '../../src/tweet/language';
import { hashtagsOf, mentionsOf } from '../../src/write/tweet/text';

describe('the text of a tweet', () => {
  test('has hashtags: without sign, as written, once each', () => {
    expect(hashtagsOf('#Ada and #ada, again #Ada; #été ＃東京 #1 not#this https://example.com/#nor')).toEqual(
      ['Ada', 'ada', 'été', '東京'],
    );
    expect(hashtagsOf('none')).toEqual([]);
  });

  test('has mentions: without sign, as written, once each', () => {
    expect(mentionsOf('.@Ada_1 hi @bob! @Ada_1 mail@example.com ＠cy')).toEqual(['Ada_1', 'bob', 'cy']);
    expect(mentionsOf('none')).toEqual([]);
  });
});

describe('the language of a text', () => {
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
    const languageOf = await loadLanguageOf();
    expect(languageOf(`@someone ${text} #Hashtag https://t.co/abcdef`)).toBe(language);
  });

  test.each(['', '🤣🤣', '@someone https://t.co/abcdef #Hello', '12:30 – 14:00', '\0'])(
    'is unknown: %j',
    async (text) => {
      expect((await loadLanguageOf())(text)).toBe('und');
    },
  );

  test('is what the source says, in the form of today', () => {
    expect(['en', 'iw', 'in', 'zh_tw', 'qme', 'und', 'EN-gb'].map(languageNamed)).toEqual([
      'en',
      'he',
      'id',
      'zh-TW',
      'und',
      'und',
      'en-GB',
    ]);
    expect([undefined, '', 'English', 'e', 'de-1996-1996'].map(languageNamed)).toEqual(
      Array(5).fill(undefined),
    );
  });
});
