import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type Page, type Response } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Names resolve to nothing but this machine: who asks another one fails. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** The browser that `CHROMIUM` names, else the one on the path. */
export function findChromium(): string {
  const named = process.env['CHROMIUM'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found =
    named ?? NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
  if (found === undefined || !existsSync(found)) {
    throw new Error(
      `Chromium must be installed (apt-get install chromium), or named by CHROMIUM, but got: ${named ?? 'none'}`,
    );
  }
  return found;
}

/** Starts Chromium without a window. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), headless: true, args: FLAGS });
}

/** A visit to GraphiQL by somebody who was never there before. */
export interface Visit {
  readonly page: Page;
  /** What the page complained about: errors of its scripts and of the console. */
  readonly complaints: readonly string[];
  /** Where its requests went, as origins. */
  readonly origins: ReadonlySet<string>;
  /** Puts a query into the editor, or headers into theirs. */
  write(text: string, tool?: 'Headers'): Promise<void>;
  /** Presses the button with a name, and gives the request and its answer. */
  press(name: string): Promise<{ headers: Readonly<Record<string, string>>; answer: unknown }>;
  close(): Promise<void>;
}

/** Opens GraphiQL with its Cost panel, at the size of the screenshot. */
export async function visit(browser: Browser, address: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  // Of a machine that is busy with the tests, more patience is asked than by default.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  const origins = new Set<string>();
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http')) origins.add(origin);
  });
  const schema = page.waitForResponse((response) => asks(response, 'IntrospectionQuery'));
  // The panel is open on the first visit, and asks what the first tab may read.
  const bound = page.waitForResponse(isAnswer);
  await page.goto(`${address}/graphiql`);
  await schema;
  // What is pressed before its editors are there, GraphiQL ignores.
  await page.locator('.result-window .view-lines').waitFor();
  await page.locator('.graphiql-query-editor').getByText('HomeTimeline').first().waitFor();
  await bound;
  return {
    page,
    complaints,
    origins,
    async write(text, tool) {
      if (tool) await page.getByRole('button', { name: tool }).click();
      const editor = tool
        ? `section[aria-label="${tool}"] .graphiql-editor:not(.hidden)`
        : '.graphiql-query-editor';
      const lines = page.locator(`${editor} .view-lines`);
      // Typed brackets and quotes would be closed by the editor.
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: address });
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
      // An editor that has just been shown may ignore keys.
      for (let isWritten = false; !isWritten;) {
        await lines.click();
        await page.keyboard.press('ControlOrMeta+A');
        await page.keyboard.press('ControlOrMeta+V');
        await page.waitForTimeout(200);
        const shown = (await lines.innerText()).replaceAll('\u00a0', ' ').replace(/\s+/g, ' ');
        isWritten = shown.trim() === text.replace(/\s+/g, ' ').trim();
      }
    },
    async press(name) {
      const [response] = await Promise.all([
        page.waitForResponse(isAnswer),
        page.getByRole('button', { name }).click(),
      ]);
      const answer: unknown = await response.json();
      return { headers: await response.request().allHeaders(), answer };
    },
    close: () => context.close(),
  };
}

function asks(response: Response, operation: string): boolean {
  return response.url().endsWith('/graphql') && response.request().postData()?.includes(operation) === true;
}

function isAnswer(response: Response): boolean {
  return response.url().endsWith('/graphql') && !asks(response, 'IntrospectionQuery');
}
