import { tab, type Tab } from '../tools/graphiql/tab';

/** The tab about leaving. */
export const leavingTabs: readonly Tab[] = [
  tab(
    `# Hides an account at once, and removes it for good from startsAt on. The confirm
# under Variables is not the username, so nothing happens; cancelAccountDeletion takes it back.
mutation DeleteAccount($confirm: String!) {
  deleteAccount(confirm: $confirm) {
    accountDeletion {
      requestedAt
      startsAt
    }
  }
}
`,
    { confirm: 'your username' },
  ),
];
