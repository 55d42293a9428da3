/** The content of the page; see `Page` in graphiql.ts. */
interface GivenPage {
  title: string;
  tabs: { query: string; variables: string }[];
  emptyTab: string;
}

/** Asks the server what the page shows. If the server does not answer, the page has no tabs. */
export async function givenPage(): Promise<GivenPage> {
  const response = await fetch('/graphiql/page.json').catch(() => null);
  return response?.ok ? await response.json() : { title: 'GraphiQL', tabs: [], emptyTab: '' };
}
