import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../src/config';

const read = (name: string) => readFileSync(join(__dirname, '../..', name), 'utf8');
const proxy = read('proxy.conf');

test('the proxy takes bodies as long as the servers do, and stores none', () => {
  const [, megabytes] = /^\s*client_max_body_size (\d+)m;$/m.exec(proxy) ?? [];
  expect(Number(megabytes) * 2 ** 20).toBe(readConfig({}).limits.bodyBytes);
  expect(proxy).toMatch(/^\s*proxy_request_buffering off;$/m);
});

test('the proxy passes on GraphQL and nothing else', () => {
  const locations = [...proxy.matchAll(/^\s*location ([^@{]*?) \{([^}]*)\}/gm)];
  const passed = locations.filter(([, , body]) => body?.includes('proxy_pass'));
  expect(passed.map(([, path]) => path)).toEqual(['= /graphql']);
  expect(locations.find(([, path]) => path === '/')?.[2]).toMatch(/^\s*return 404;$/m);
});

test('the proxy believes nobody who tells an address', () => {
  expect(proxy).toMatch(/^\s*proxy_set_header X-Forwarded-For \$remote_addr;$/m);
  expect(proxy).toMatch(/^\s*proxy_set_header Forwarded "";$/m);
});

test('the servers behind the proxy have a port for operations that is not theirs, and their health is asked there', () => {
  const [, port] = /^\s*OPERATIONS_PORT: (\d+)$/m.exec(read('docker-compose.yml')) ?? [];
  expect(Number(port)).toBeGreaterThan(0);
  expect(proxy).not.toContain(`:${String(port)}`);
  expect(read('Dockerfile')).toContain('process.env.OPERATIONS_PORT || process.env.PORT');
});

test('the labels of the image say what package.json says', () => {
  const labels = [...read('Dockerfile').matchAll(/org\.opencontainers\.image\.(\w+)="([^"]*)"/g)];
  const { name, description, version, license } = JSON.parse(read('package.json')) as Record<string, string>;
  expect(Object.fromEntries(labels.map(([, label, value]) => [label, value]))).toEqual({
    title: name,
    description,
    version,
    licenses: license,
  });
});
