/** The owner and name under which tweets are recorded that came late into the lists of authors, words and areas. */
export const LATE_TWEETS = { list: 'tweets', owner: '0' };
