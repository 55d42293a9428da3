/**
 * Matches the names of columns with texts or ids of tweets, whoever wrote the file: `rawcontent`, `tweet_text`, `tweetid`. The formats of
 * people do not read a file with such a column, whose rows also have an author.
 */
export const TWEET_COLUMN = /(?:^|_)(?:tweet|body|message|status|status_?id|tweet_?id)$|(?:content|text)$/;
