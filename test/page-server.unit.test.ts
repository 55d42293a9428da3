import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createPageServer } from '../examples/web/server/page-server';

const folder = mkdtempSync(join(tmpdir(), 'murmuration-page-'));
let server: FastifyInstance;
beforeAll(async () => {
  writeFileSync(join(folder, 'index.html'), 'The page');
  server = await createPageServer({
    folder,
    api: 'http://127.0.0.1:4000/graphql',
    signIn(username) {
      if (username === 'down') return Promise.reject(new Error('fetch failed'));
      return Promise.resolve(username === 'ada' ? { username, token: 'a token' } : null);
    },
    people: () => Promise.resolve(['ada']),
  });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

function signIn(username: string, headers: Readonly<Record<string, string>> = {}) {
  return server.inject({
    method: 'POST',
    url: '/sign-in',
    payload: { username },
    headers: { host: '127.0.0.1:4080', ...headers },
  });
}

test('the page gets a token for whoever has the username', async () => {
  expect((await signIn('ada', { 'sec-fetch-site': 'same-origin' })).json()).toEqual({
    username: 'ada',
    token: 'a token',
  });
  expect((await signIn('nobody')).statusCode).toBe(404);
  expect((await signIn('x'.repeat(101))).statusCode).toBe(400);
});

test.each([
  ['the page of another site', { 'sec-fetch-site': 'cross-site' }],
  ['another page of this machine', { 'sec-fetch-site': 'same-site' }],
  ['a page whose name resolves to this machine', { host: 'evil.example' }],
])('%s gets none', async (_, headers) => {
  const { statusCode, body } = await signIn('ada', headers);
  expect(statusCode).toBe(403);
  expect(body).not.toContain('a token');
});

test('an API that does not answer is told', async () => {
  const { statusCode, body } = await signIn('down');
  expect([statusCode, body]).toEqual([503, expect.stringContaining('fetch failed')]);
});

test('the page runs its own scripts only, and asks its server and the API only', async () => {
  const { headers, body } = await server.inject({ url: '/', headers: { host: '127.0.0.1:4080' } });
  expect(body).toBe('The page');
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'self'");
  expect(policy).toContain("connect-src 'self' http://127.0.0.1:4000 ws://127.0.0.1:4000");
  expect(policy).not.toContain('unsafe-eval');
});
