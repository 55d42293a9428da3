import { registerEnumType } from 'type-graphql';

/** Why something is hidden from the viewer. */
export enum HiddenReason {
  BLOCKED = 'BLOCKED',
  BLOCKED_BY = 'BLOCKED_BY',
  MUTED = 'MUTED',
  MUTED_WORD = 'MUTED_WORD',
  DELETED = 'DELETED',
}
registerEnumType(HiddenReason, {
  name: 'HiddenReason',
  description: 'Why something is not shown.',
  valuesConfig: {
    BLOCKED: {
      description:
        'The viewer blocks its author, or the author of what it shares or answers; or the author of what it answers blocks its author; or, of a quoted tweet, its author blocks whoever quotes it.',
    },
    BLOCKED_BY: { description: 'Its author, or the author of what it shares or answers, blocks the viewer.' },
    MUTED: { description: 'The viewer mutes its author.' },
    MUTED_WORD: { description: 'It has a word that the viewer mutes.' },
    DELETED: {
      description: 'It was deleted, or is shown to nobody while its author is suspended or leaves.',
    },
  },
});

/** The parts of what a user does that a mute hides. */
export enum MuteScope {
  TWEETS = 'TWEETS',
  SHARES = 'SHARES',
  QUOTES = 'QUOTES',
  REPLIES = 'REPLIES',
  NOTIFICATIONS = 'NOTIFICATIONS',
}
registerEnumType(MuteScope, {
  name: 'MuteScope',
  description: 'What a mute hides.',
  valuesConfig: {
    TWEETS: {
      description: 'What the user posts that is none of the others, and shares of it; also articles.',
    },
    SHARES: { description: 'What the user shares.' },
    QUOTES: { description: 'Tweets in which the user quotes another one.' },
    REPLIES: { description: 'Replies and comments of the user.' },
    NOTIFICATIONS: { description: 'Notifications of what the user does.' },
  },
});

/** The places where muted words hide tweets. */
export enum MutedWordPlace {
  TIMELINE = 'TIMELINE',
  SEARCH = 'SEARCH',
  THREAD = 'THREAD',
  NOTIFICATIONS = 'NOTIFICATIONS',
}
registerEnumType(MutedWordPlace, {
  name: 'MutedWordPlace',
  description: 'Where a muted word hides tweets.',
  valuesConfig: {
    TIMELINE: { description: 'In timelines.' },
    SEARCH: {
      description:
        'In searches, hashtags, areas and days, and in `tweetPosted`, unless that is given a `username` alone.',
    },
    THREAD: { description: 'Among replies, quotes and in threads.' },
    NOTIFICATIONS: { description: 'In notifications.' },
  },
});
