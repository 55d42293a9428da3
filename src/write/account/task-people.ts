import type { Task } from '../../kit/work/outbox.table';
import type { Payload } from '../../kit/work/handler';

/** The members of payloads of tasks that have the ids of people. A test asks for those of every kind of task. */
export const PEOPLE_OF_TASKS: readonly string[] = [
  'userId',
  'authorId',
  'follower',
  'followee',
  'blocker',
  'blocked',
];

/** Whether a task is about a person: whose it is, or what it does to whom. Texts and other ids in its payload do not count. */
export function isTaskAbout({ payload }: Pick<Task, 'payload'>, userId: string): boolean {
  // Most tasks are about others, and this is much faster.
  if (payload?.includes(`"${userId}"`) !== true) return false;
  const named = JSON.parse(payload) as Payload;
  return PEOPLE_OF_TASKS.some((name) => named[name] === userId);
}
