import { registerEnumType } from 'type-graphql';

/** The kind of a notification. */
export enum NotificationKind {
  FOLLOW = 'FOLLOW',
  LIKE = 'LIKE',
  SHARE = 'SHARE',
  REPLY = 'REPLY',
  MENTION = 'MENTION',
  QUOTE = 'QUOTE',
  COMMENT = 'COMMENT',
}

registerEnumType(NotificationKind, {
  name: 'NotificationKind',
  description: 'What a notification tells. There may be more kinds one day: `text` says what each means.',
  valuesConfig: {
    FOLLOW: { description: 'Somebody follows the user.' },
    LIKE: { description: "Somebody likes a tweet of the user's." },
    SHARE: { description: "Somebody shares a tweet of the user's." },
    REPLY: { description: 'Somebody has replied below a tweet of the user.' },
    MENTION: { description: 'Somebody has mentioned the user.' },
    QUOTE: { description: "Somebody has quoted a tweet of the user's." },
    COMMENT: { description: "Somebody has commented on an article of the user's." },
  },
});

/** The kinds of which several are one group. */
export type GroupedKind = NotificationKind.FOLLOW | NotificationKind.LIKE | NotificationKind.SHARE;

/** Whether a kind is one of those. */
export function isGroupedKind(kind: string | null): kind is GroupedKind {
  const kinds: readonly string[] = [NotificationKind.FOLLOW, NotificationKind.LIKE, NotificationKind.SHARE];
  return kind !== null && kinds.includes(kind);
}

/** The subject of a notification that is about the user only, such as a follow. Other subjects are tweets or articles. */
export const NO_SUBJECT = '0';
