import { join } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { createPageServer } from '../../examples/web/server/page-server';
import { freePorts } from '../../src/tools/embedded/ports';
import { authorization } from '../support/harness';
import { startServerProcess, type ServerProcess } from '../support/server-process';

const page = join(__dirname, '../../examples/web/page');

/** The page of `examples/web`, and the server that it asks. */
export interface Web extends ServerProcess {
  /** Where the page is. */
  readonly address: string;
}

/** Starts a server that trusts the documents of the page, and the server of the page. */
export async function startWeb(): Promise<Web> {
  const { native: port } = await freePorts(['127.0.0.1']);
  const address = `http://127.0.0.1:${port}`;
  const server = await startServerProcess({
    TRUSTED_DOCUMENTS: join(page, 'src/gql/persisted-documents.json'),
    CORS_ORIGIN: address,
    EXPLAIN: 'everybody',
    // What others do is seen at once.
    CACHE_SECONDS: '0',
  });
  const users = new Set<string>();
  const pages = await createPageServer({
    folder: join(page, '../../../dist/web'),
    api: server.api,
    signIn: async (username) =>
      users.has(username)
        ? { username, token: (await authorization(username)).replace('Bearer ', '') }
        : null,
    people: () => Promise.resolve([...users]),
  });
  await pages.listen({ host: '127.0.0.1', port });
  return {
    ...server,
    address,
    signUp(username) {
      users.add(username);
      return server.signUp(username);
    },
    async close() {
      await pages.close();
      await server.close();
    },
  };
}

/** Somebody at the page. */
export interface Visitor {
  readonly page: Page;
  /** What the page complained about: errors of its scripts and of the console. */
  readonly complaints: string[];
  /** The requests that had the text of a query instead of its hash. */
  readonly texts: string[];
  /** What axe-core finds wrong with the page as it is: rules with the elements that break them. */
  violations(this: void): Promise<string[]>;
  close(): Promise<void>;
}

/** Opens the page and signs in. */
export async function visitAs(
  browser: Browser,
  { address }: Web,
  username: string,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(60_000);
  const opened = await context.newPage();
  const complaints: string[] = [];
  opened.on('pageerror', (error) => complaints.push(String(error)));
  opened.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  const texts: string[] = [];
  opened.on('request', (request) => {
    const body = request.postData();
    if (request.url().endsWith('/graphql') && body?.includes('"query":')) texts.push(body);
  });
  await opened.goto(address);
  await opened.getByLabel('Username').fill(username);
  await opened.getByRole('button', { name: 'Sign in' }).click();
  await opened.getByRole('heading', { name: 'Home' }).waitFor();
  return {
    page: opened,
    complaints,
    texts,
    async violations() {
      // The page allows no scripts but its own, so this one comes by the protocol of the browser.
      await opened.evaluate(axe.source);
      const found = await opened.evaluate<AxeResults>('axe.run()');
      return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    },
    close: () => context.close(),
  };
}
