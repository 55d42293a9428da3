import { NotificationKind } from './notification-kind';
import type { NotificationRow } from './notification.table';

/** The texts of each kind for one person, and for several. */
const TEXTS: Readonly<Record<string, readonly [one: string, several: string]>> = {
  [NotificationKind.FOLLOW]: ['follows you', 'follow you'],
  [NotificationKind.LIKE]: ['likes your tweet', 'like your tweet'],
  [NotificationKind.SHARE]: ['shared your tweet', 'shared your tweet'],
  [NotificationKind.REPLY]: ['replied below your tweet', 'replied below your tweet'],
  [NotificationKind.MENTION]: ['mentioned you', 'mentioned you'],
  [NotificationKind.QUOTE]: ['quoted your tweet', 'quoted your tweet'],
  [NotificationKind.COMMENT]: ['commented on your article', 'commented on your article'],
};

/** A notification as one sentence. `name` is that of the newest actor whom the user may see. */
export function describe(
  { kind, actorCount }: Pick<NotificationRow, 'kind' | 'actorCount'>,
  name: string | null,
): string {
  const [one, several] = TEXTS[kind] ?? ['did something', 'did something'];
  const first = name ?? 'Somebody';
  if (actorCount < 2) return `${first} ${one}.`;
  const others = actorCount - 1;
  return `${first} and ${others === 1 ? '1 other' : `${others.toLocaleString('en')} others`} ${several}.`;
}
