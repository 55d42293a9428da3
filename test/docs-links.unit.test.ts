import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const root = join(__dirname, '..');
const SKIPPED = ['node_modules', 'dist', '.git'];

/** The Markdown files of the project, by their paths. */
function pagesIn(folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return SKIPPED.includes(entry.name) || entry.name.startsWith('data') ? [] : pagesIn(path);
    return path.endsWith('.md') ? [path] : [];
  });
}

/** A page without its blocks of code, in which nothing is a link or a heading. */
function proseOf(text: string): string {
  return text.replace(/^ *(```+|~~~+)[^]*?^ *\1 *$/gm, '').replace(/^ {4,}(?![-*\d|]).*$/gm, '');
}

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(text: string): Set<string> {
  const counts = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading = ''] of proseOf(text).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = words.replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '').replaceAll(' ', '-');
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  for (const [, id = ''] of text.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id);
  return anchors;
}

/** The addresses that a page links to or shows: of Markdown and of HTML. */
function linksOf(text: string): string[] {
  const prose = proseOf(text).replace(/`[^`\n]*`/g, '');
  return [
    ...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g),
    ...prose.matchAll(/^ *\[[^\]]+\]: *<?(\S+?)>?$/gm),
    ...prose.matchAll(/(?:href|src)="([^"]+)"/g),
  ].map(([, address = '']) => address);
}

/** What is wrong with an address on a page; null if it leads somewhere. */
function faultOf(page: string, address: string): string | null {
  if (/^https?:/.test(address)) {
    if (!URL.canParse(address)) return 'is no address';
    // A branch of another project changes: a page of it may be gone tomorrow.
    return /^https:\/\/github\.com\/[^/]+\/[^/]+\/(?:blob|tree)\/(?:main|master|HEAD)\b/.test(address)
      ? 'is a file of a branch of another project'
      : null;
  }
  const [path = '', anchor] = address.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), decodeURI(path)));
  if (target.startsWith('..')) return 'is outside of the project';
  const found = statSync(join(root, target), { throwIfNoEntry: false });
  if (!found) return 'does not exist';
  if (anchor === undefined) return null;
  if (!target.endsWith('.md')) return 'has an anchor, but is no page';
  return anchorsOf(readFileSync(join(root, target), 'utf8')).has(anchor) ? null : 'has no such heading';
}

const pages = pagesIn();

test('there are pages with links', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/live.md', 'examples/hotels/README.md']));
  const links = pages.flatMap((page) => linksOf(readFileSync(join(root, page), 'utf8')));
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter((link) => link.includes('#')).length).toBeGreaterThan(20);
});

test.each(pages)('every link of %s leads somewhere', (page) => {
  const faults = linksOf(readFileSync(join(root, page), 'utf8')).flatMap((address) => {
    const fault = faultOf(page, address);
    return fault === null ? [] : `${address} ${fault}`;
  });
  expect(faults).toEqual([]);
});

/** Pages that name files of a reader's project, or files of another time. */
const OTHER_FILES = ['src/kit/README.md', 'CHANGELOG.md'];
/** The files that a reader of docs/adding-a-field.md writes. */
const TO_BE_WRITTEN = /\/watch\//;

test.each(pages.filter((page) => !OTHER_FILES.includes(page)))(
  'every file that %s names is there',
  (page) => {
    const folder = page.startsWith('examples') ? dirname(page) : '';
    const named = [
      ...readFileSync(join(root, page), 'utf8').matchAll(/`((?:src|test|docs|scripts|examples)\/[\w./-]+)`/g),
    ];
    const missing = named
      .map(([, path = '']) => path)
      .filter((path) => page !== 'docs/adding-a-field.md' || !TO_BE_WRITTEN.test(path))
      .filter(
        (path) => ![folder, ''].some((at) => statSync(join(root, at, path), { throwIfNoEntry: false })),
      );
    expect(missing).toEqual([]);
  },
);

test('a wrong link is found', () => {
  expect(faultOf('docs/live.md', 'nowhere.md')).toBe('does not exist');
  expect(faultOf('docs/live.md', 'settings.md#nothing')).toBe('has no such heading');
  expect(faultOf('docs/live.md', '#nothing')).toBe('has no such heading');
  expect(faultOf('docs/live.md', '../../x.md')).toBe('is outside of the project');
  expect(linksOf('[a\nb](x.md) `[c](y.md)` <img src="z.png">\n```\n[d](w.md)\n```\n')).toEqual([
    'x.md',
    'z.png',
  ]);
  expect([...anchorsOf('# `A` B, c\n## A B c\n```\n# no\n```\n')]).toEqual(['a-b-c', 'a-b-c-1']);
});
