/** The topic of a user's notifications. */
export function notificationTopic(userId: string): string {
  return `notifications ${userId}`;
}
