import type { ImportRecord, TweetRecord } from '../import/records/record';
import { findHashtags, findMentions } from '../write/tweet/text';
import { ADA, demoUserId, END, idAt } from './network';
import { findStranger } from './store-hidden';
import { cities } from './words';

const MINUTE = 60_000;
/** When the conversation begins, in milliseconds since 1970. */
const BEGIN = END - 8 * 60 * MINUTE;

/** The tweet with which the demo's conversation begins. */
export const CONVERSATION = idAt(BEGIN, 0);

/** The part of the person whom ada blocks, so that she sees a placeholder where others see the tweet. */
const STRANGER = -1;

/** A line of a conversation: how deep it stands below the first tweet, the number of the person, and the text. */
type Line = readonly [depth: number, person: number, content: string];

const lines: readonly Line[] = [
  [0, 0, 'Every evening the starlings come back to the harbour. I counted them for a month. #starlings'],
  [1, 0, 'The first week there were about two hundred, always from the north. #starlings'],
  [2, 0, 'In the second week they came later each day: they follow the light, not the clock.'],
  [3, 0, 'By the end I stopped counting at four thousand. The map of all evenings comes tomorrow.'],
  [4, 12, 'Four thousand! How do you count a cloud?'],
  [5, 0, 'I count one corner of a photograph, then multiply. It is off by a fifth at most.'],
  [6, 12, 'And how do you know that it is a fifth?'],
  [7, 31, 'You count another corner and compare.'],
  [8, 0, 'Exactly. Three corners, and the middle one is my number.'],
  [9, 12, 'Then I will count the gulls.'],
  [1, 5, 'Do they sleep below the old bridge?'],
  [2, 8, 'They do. Go there in the morning, it is very loud.'],
  [3, 5, 'I did. It is.'],
  [1, STRANGER, 'Nobody can count birds. You made that up.'],
  [2, 31, 'She has photographs.'],
  [1, 17, 'Where else have you seen so many?'],
];

/**
 * Generates the demo's conversation: a story that ada tells in four tweets, with what others say to it, and some who quote and share it. One
 * tweet has more replies than a page of a thread shows. `network` tells whom ada blocks.
 */
export function demoConversation(network: readonly ImportRecord[]): TweetRecord[] {
  const stranger = findStranger(network, ADA) ?? demoUserId(40);
  const above: TweetRecord[] = [];
  const tweets: TweetRecord[] = [];
  const add = (person: number, content: string, links: Partial<TweetRecord>) => {
    const n = tweets.length;
    const createdAt = new Date(BEGIN + 7 * n * MINUTE);
    const tweetId = idAt(Number(createdAt), n);
    const tweet: TweetRecord = {
      kind: 'tweet',
      ...{ tweetId, content, createdAt, ...links },
      author: { userId: person === STRANGER ? stranger : demoUserId(person) },
      ...{ language: 'en', hashtags: findHashtags(content), mentions: findMentions(content) },
      raw: JSON.stringify({ id_str: tweetId, text: content }),
    };
    tweets.push(tweet);
    return tweet;
  };
  for (const [depth, person, content] of lines) {
    const parent = above[depth - 1];
    above[depth] = add(person, content, parent ? { inReplyToId: parent.tweetId } : {});
  }
  const [first, question] = above;
  if (first === undefined || question === undefined)
    throw new Error('The conversation must have two tweets.');
  for (const [n, { country }] of cities.entries())
    for (const content of [`${country}, last autumn.`, `${country}, every winter.`])
      if (tweets.length < lines.length + 14) add(50 + n, content, { inReplyToId: question.tweetId });
  for (const [person, content] of [
    [9, 'This is how I want to learn statistics.'],
    [22, 'For everybody who lives near water:'],
  ] as const)
    add(person, content, { quotedTweetId: first.tweetId });
  for (const person of [3, 14, 15, 92]) add(person, first.content, { sharedTweetId: first.tweetId });
  return tweets;
}
