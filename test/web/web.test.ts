import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../browser/chromium';
import { startWeb, visitAs, type Visitor, type Web } from './page';

const POST = 'mutation ($input: CreateTweetInput!) { createTweet(input: $input) { tweet { id tweetId } } }';
const FOLLOW = 'mutation ($id: ID!) { followUser(id: $id) { follower { id } } }';

let web: Web;
let browser: Browser;
const people: Record<'ada' | 'bo' | 'cy', { id: string }> = {
  ada: { id: '' },
  bo: { id: '' },
  cy: { id: '' },
};
const visitors: Visitor[] = [];
/** The tweets of bo, the nth of which says so. */
const numbered: { id: string }[] = [];

beforeAll(async () => {
  [web, browser] = await Promise.all([startWeb(), launchChromium()]);
  for (const name of ['ada', 'bo', 'cy'] as const) people[name] = await web.signUp(name);
  await web.ask('ada', FOLLOW, { id: people.bo.id });
  await web.ask('bo', FOLLOW, { id: people.ada.id });
  for (let n = 1; n <= 45; n++) numbered.push(await post('bo', `Number ${n} of bo`));
});
afterEach(async () => {
  for (const visitor of visitors.splice(0)) {
    await visitor.close();
    expect(visitor.complaints).toEqual([]);
    // All documents of the page are trusted ones, which it names by their hashes.
    expect(visitor.texts).toEqual([]);
  }
});
afterAll(async () => {
  await browser.close();
  await web.close();
});

async function post(
  who: string,
  content: string,
  input: object = {},
): Promise<{ id: string; tweetId: string }> {
  const { createTweet } = await web.ask<{ createTweet: { tweet: { id: string; tweetId: string } } }>(
    who,
    POST,
    { input: { content, ...input } },
  );
  return createTweet.tweet;
}

async function visit(username: string, options = {}): Promise<Visitor> {
  const visitor = await visitAs(browser, web, username, options);
  visitors.push(visitor);
  return visitor;
}

/** Whether ada likes a tweet. */
async function isLiked(id: string | undefined): Promise<boolean> {
  const query = 'query ($id: ID!) { node(id: $id) { ... on Tweet { viewerHasLiked } } }';
  return (await web.ask<{ node: { viewerHasLiked: boolean } }>('ada', query, { id })).node.viewerHasLiked;
}

/** The tweet with a text. */
function tweetOf({ page }: Visitor, text: string) {
  return page.getByRole('article').filter({ hasText: text });
}

test('the timeline loads page after page while somebody scrolls, and every tweet once', async () => {
  const { page } = await visit('ada');
  await page.getByText('Number 45 of bo', { exact: true }).waitFor();
  while (!(await page.getByText('That is all.').isVisible())) await page.mouse.wheel(0, 2000);
  const texts = await page.getByText(/^Number \d+ of bo$/).allInnerTexts();
  expect(texts).toEqual(Array.from({ length: 45 }, (_, n) => `Number ${45 - n} of bo`));
});

test('what others post waits above the timeline, and somebody reads it when they want', async () => {
  const visitor = await visit('ada');
  await visitor.page.getByText('Number 45 of bo', { exact: true }).waitFor();
  await post('bo', 'Just now');
  const button = visitor.page.getByRole('button', { name: 'Show 1 new' });
  await button.waitFor();
  expect(await tweetOf(visitor, 'Just now').count()).toBe(0);
  await button.click();
  expect(await visitor.page.getByRole('article').first().innerText()).toContain('Just now');
});

test('posting, replying, liking and sharing show at once and are there after the page is loaded again', async () => {
  const visitor = await visit('ada');
  const { page } = visitor;
  await page.getByLabel('What is happening?').fill('Hello from the page #web');
  await page.getByRole('button', { name: 'Post' }).click();
  const own = tweetOf(visitor, 'Hello from the page');
  await own.waitFor();
  const other = tweetOf(visitor, 'Number 44 of bo');
  await other.getByRole('button', { name: 'Like, 0' }).click();
  await other.getByRole('button', { name: 'Like, 1', pressed: true }).waitFor();
  await other.getByRole('button', { name: 'Share, 0' }).click();
  await other.getByRole('button', { name: 'Share, 1', pressed: true }).waitFor();
  await other.getByRole('button', { name: 'Reply, 0' }).click();
  await page.getByLabel('Your reply').fill('A reply from the page');
  await other.getByRole('button', { name: 'Post' }).click();
  await page.getByLabel('Your reply').waitFor({ state: 'detached' });
  const { user } = await web.ask<{ user: { tweets: { nodes: { content: string }[] } } }>(
    'ada',
    '{ user(username: "ada") { tweets(first: 3) { nodes { content } } } }',
  );
  expect(user.tweets.nodes.map(({ content }) => content)).toEqual([
    'A reply from the page',
    'Number 44 of bo',
    'Hello from the page #web',
  ]);
  await page.reload();
  await other.getByRole('button', { name: 'Like, 1', pressed: true }).waitFor();
  await other.getByRole('button', { name: 'Reply, 1' }).waitFor();
  await other.getByRole('button', { name: 'Like, 1' }).click();
  await other.getByRole('button', { name: 'Like, 0', pressed: false }).waitFor();
});

test('a thread shows what was cut when it is asked for, behind the replies that it had shown', async () => {
  const root = await post('bo', 'A root');
  for (let n = 1; n <= 7; n++) await post('ada', `Reply ${n}`, { inReplyTo: root.id });
  const visitor = await visit('ada');
  const { page } = visitor;
  await page.goto(`${web.address}/#/tweet/${root.tweetId}`);
  await page.getByRole('button', { name: 'Show 2 more replies' }).click();
  await page.getByText('Reply 7', { exact: true }).waitFor();
  const texts = await page.getByText(/^(A root|Reply \d)$/).allInnerTexts();
  expect(texts).toEqual(['A root', ...Array.from({ length: 7 }, (_, n) => `Reply ${n + 1}`)]);
  // From a reply, what it answers stands above it.
  await tweetOf(visitor, 'Reply 3')
    .getByRole('link', { name: /ago|now/ })
    .click();
  await tweetOf(visitor, 'A root').waitFor();
  expect(await page.getByRole('article').allInnerTexts()).toEqual([
    expect.stringContaining('A root') as string,
    expect.stringContaining('Reply 3') as string,
  ]);
});

test('the badge counts what is new while the page is open, and looking at the list clears it', async () => {
  const { page } = await visit('ada');
  await page.getByRole('link', { name: 'Notifications' }).click();
  await page.getByRole('heading', { name: 'Notifications' }).waitFor();
  // Whoever goes on before the list is there has not seen it.
  await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Home' }).click();
  await post('cy', 'Hello @ada');
  await page.getByRole('link', { name: 'Notifications 1 unread' }).click();
  await page.getByText('Hello @ada').waitFor();
  await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor();
});

test('search finds people while somebody types, and tweets by their words', async () => {
  const visitor = await visit('cy');
  const { page } = visitor;
  await page.getByRole('link', { name: 'Search' }).click();
  const field = page.getByLabel('People, words or hashtags');
  await field.pressSequentially('bo');
  await page.getByRole('link', { name: '@bo' }).waitFor();
  await field.fill('Number 17');
  await field.press('Enter');
  await tweetOf(visitor, 'Number 17 of bo').waitFor();
  await page.getByText('That is all.').waitFor();
  expect(await page.getByRole('article').count()).toBe(1);
});

test.each(['100%', '50%25 off', 'a/b?c#d', '#number'])(
  'a search for %j shows its words again from its address',
  async (words) => {
    const { page } = await visit('cy');
    await page.getByRole('link', { name: 'Search' }).click();
    const field = page.getByLabel('People, words or hashtags');
    await field.fill(words);
    await field.press('Enter');
    await page.waitForURL(/search\/./);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
    expect(await field.inputValue()).toBe(words);
  },
);

test('from a profile one follows, mutes and blocks, and a block empties it', async () => {
  const { page } = await visit('cy');
  await page.goto(`${web.address}/#/user/bo`);
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  await page.getByRole('button', { name: 'Unfollow' }).waitFor();
  await page.getByRole('button', { name: 'Mute', exact: true }).click();
  await page.getByRole('button', { name: 'Unmute' }).click();
  await page.getByRole('button', { name: 'Block', exact: true }).click();
  await page.getByRole('button', { name: 'Unblock' }).waitFor();
  await page
    .getByText(/^Number \d+ of bo$/)
    .first()
    .waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Unblock' }).click();
  await page.getByText('Number 45 of bo', { exact: true }).waitFor();
});

test('beside each screen stands what it read, by table, when it is asked for', async () => {
  const { page } = await visit('ada');
  await page.getByRole('button', { name: 'What it read' }).click();
  const panel = page.getByRole('complementary', { name: 'What it read' });
  await panel.getByRole('table', { name: /^HomeTimeline: \d+ of at most \d+ partitions$/ }).waitFor();
  await panel.getByRole('row', { name: /^timelines_by_user / }).waitFor();
  await page.getByRole('link', { name: 'Profile' }).click();
  await panel.getByRole('table', { name: /^ProfilePage: / }).waitFor();
});

test('a page that is open while its server is killed goes on by itself, and loses nothing', async () => {
  const visitor = await visit('ada');
  const { page, complaints } = visitor;
  const tweet = tweetOf(visitor, 'Number 40 of bo');
  await tweet.waitFor();
  await web.kill();
  await tweet.getByRole('button', { name: 'Like, 0' }).click();
  await page.getByLabel('What is happening?').fill('Written while the server was gone');
  await page.getByRole('button', { name: 'Post' }).click();
  await page.getByRole('button', { name: 'Posting…' }).waitFor();
  await web.start();
  await tweetOf(visitor, 'Written while the server was gone').waitFor();
  await post('bo', 'After the server was killed');
  await page.getByRole('button', { name: /Show \d+ new/ }).click();
  await tweetOf(visitor, 'After the server was killed').waitFor();
  // The page tries again less and less often, so the like may come a while after the tweet.
  while (!(await isLiked(numbered[39]?.id))) await sleep(200);
  const { user } = await web.ask<{ user: { tweets: { nodes: object[] } } }>(
    'ada',
    '{ user(username: "ada") { tweets(first: 1) { nodes { content } } } }',
  );
  expect(user.tweets.nodes).toEqual([{ content: 'Written while the server was gone' }]);
  // The browser tells of each request that nobody answered.
  expect(complaints.splice(0).filter((text) => !/ERR_CONNECTION_REFUSED|WebSocket/.test(text))).toEqual([]);
});

/** The paths of the screens, and their headings. */
const screens = [
  ['', 'Home'],
  ['notifications', 'Notifications'],
  ['search', 'Search'],
  ['search/number', 'Search'],
  ['user/bo', 'BO'],
] as const;

/** Goes to a screen, and waits until it shows what it is about. */
async function open({ page }: Visitor, [path, heading]: (typeof screens)[number]): Promise<void> {
  await page.goto(`${web.address}/#/${path}`);
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  await page.getByText('Loading…').first().waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
}

test.each(['light', 'dark'] as const)(
  'no screen breaks a rule of accessibility in the %s colours',
  async (colorScheme) => {
    const visitor = await visit('ada', { colorScheme });
    await visitor.page.getByRole('button', { name: 'What it read' }).click();
    for (const screen of screens) {
      await open(visitor, screen);
      expect([screen, await visitor.violations()]).toEqual([screen, []]);
    }
  },
);

test('no screen is wider than a small phone', async () => {
  const visitor = await visit('ada', { viewport: { width: 360, height: 700 } });
  for (const screen of screens) {
    await open(visitor, screen);
    expect([screen, await visitor.page.evaluate('document.documentElement.scrollWidth')]).toEqual([
      screen,
      360,
    ]);
  }
});

test('the keyboard alone reaches the content, posts and likes', async () => {
  const visitor = await visit('cy');
  const { page } = visitor;
  const focused = () =>
    page.evaluate<string>(
      'document.activeElement.ariaLabel ?? document.activeElement.labels?.[0]?.innerText ?? document.activeElement.innerText',
    );
  const tabTo = async (name: RegExp) => {
    for (let presses = 0; !name.test(await focused()); presses++) {
      expect(presses).toBeLessThan(20);
      await page.keyboard.press('Tab');
    }
  };
  await tabTo(/^Skip to content$/);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('What is happening?');
  await page.keyboard.type('By keyboard');
  await tabTo(/^Post$/);
  await page.keyboard.press('Enter');
  await tweetOf(visitor, 'By keyboard').waitFor();
  await tabTo(/^Like, 0$/);
  await page.keyboard.press('Space');
  await tweetOf(visitor, 'By keyboard').getByRole('button', { name: 'Like, 1', pressed: true }).waitFor();
});

test('a tweet that comes after newer ones waits above the timeline, too', async () => {
  await post('cy', 'A little older');
  await post('bo', 'A little newer');
  const visitor = await visit('ada');
  await tweetOf(visitor, 'A little newer').waitFor();
  await web.ask('ada', FOLLOW, { id: people.cy.id });
  const older = tweetOf(visitor, 'A little older');
  const button = visitor.page.getByRole('button', { name: /^Show \d+ new$/ });
  while ((await older.count()) === 0) await button.click();
});

test('an operation is sent again when the server says, or somebody is told that it takes long', async () => {
  const { page } = await visit('ada');
  const waits = [1, 3600];
  let sent = 0;
  await page.route(web.api, async (route) => {
    const { operationName } = route.request().postDataJSON() as { operationName?: string };
    if (operationName !== 'Post') return route.continue();
    sent++;
    const retryAfter = waits.shift();
    if (retryAfter === undefined) return route.continue();
    const error = { message: `Wait for ${retryAfter} s.`, extensions: { code: 'RATE_LIMITED', retryAfter } };
    return route.fulfill({
      headers: { 'access-control-allow-origin': '*' },
      json: { data: null, errors: [error] },
    });
  });
  await page.getByLabel('What is happening?').fill('Too much');
  await page.getByRole('button', { name: 'Post' }).click();
  await page.getByText('Wait for 3600 s.').waitFor();
  expect(sent).toBe(2);
});

test('who has a token that is no longer valid is signed out, also if only a WebSocket tells it', async () => {
  const { page } = await visit('ada');
  await page.routeWebSocket(/./, (socket) => socket.close({ code: 4401, reason: 'Unauthorized' }));
  await page.reload();
  await page.getByLabel('Username').waitFor();
});
