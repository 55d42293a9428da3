import { graphql } from '../gql';
import { useLive } from './live';

const NOTIFIED = graphql(`
  subscription Notified($after: String) {
    notificationReceived(after: $after) {
      cursor
      node {
        id
      }
    }
  }
`);

/** Calls back when there is something to tell the viewer, and when there may be. What it is, lists and counts say. */
export function useNotified(onNotified: () => void): void {
  useLive(NOTIFIED, null, (event) => event.notificationReceived, onNotified, onNotified);
}
