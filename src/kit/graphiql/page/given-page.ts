/** What the server has the page show: see `Page` in graphiql.ts. */
export interface GivenPage {
  title: string;
  tabs: { query: string; variables: string }[];
  emptyTab: string;
}

/** Asks the server what the page shows; a page without tabs where it does not answer. */
export async function givenPage(): Promise<GivenPage> {
  const response = await fetch('/graphiql/page.json').catch(() => null);
  return response?.ok ? await response.json() : { title: 'GraphiQL', tabs: [], emptyTab: '' };
}
