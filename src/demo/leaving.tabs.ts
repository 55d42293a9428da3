import { tab, type Tab } from '../tools/graphiql/tab';

/** The tabs about leaving. */
export const leavingTabs: readonly Tab[] = [
  tab(
    `# Asks for a file with all that you have. Once its state is COMPLETE, GET /export with
# your token answers with it. Asking again within a day answers with the same one.
mutation RequestExport {
  requestExport {
    accountExport {
      requestedAt
      state
      writtenRows
      path
      expiresAt
    }
  }
}
`,
    {},
  ),
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
