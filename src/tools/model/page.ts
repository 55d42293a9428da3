import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { readModel, type Model, type ModelField, type ModelSource, type ModelTable } from './model';

/** Serves the model under `/model`: a searchable list of the fields with their tables. It is compressed once, because anybody may ask. */
export function registerModel(app: FastifyInstance, source: ModelSource): void {
  let page: Promise<Page> | undefined;
  app.get('/model', async (request, reply) => {
    page ??= makePage(source).catch((error: unknown) => {
      page = undefined;
      throw error;
    });
    const { plain, gzipped } = await page;
    const isGzipped = acceptsGzip(request.headers['accept-encoding']);
    if (isGzipped) reply.header('content-encoding', 'gzip');
    return reply
      .type('text/html; charset=utf-8')
      .header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '))
      .header('cache-control', 'no-cache')
      .header('content-security-policy', contentSecurityPolicy)
      .send(isGzipped ? gzipped : plain);
  });
}

/** The page in the forms in which it is sent. */
interface Page {
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

async function makePage(source: ModelSource): Promise<Page> {
  const plain = Buffer.from(renderPage(source));
  return { plain, gzipped: await promisify(gzip)(plain, { level: 9 }) };
}

/** Whether a header names gzip, and not with the weight 0 (RFC 9110, section 12.5.3). */
function acceptsGzip(header: string | string[] = ''): boolean {
  return String(header)
    .split(',')
    .some((one) => /^\s*gzip\s*(?:$|;\s*q=(?:1|0?\.0*[1-9]))/i.test(one));
}

function renderPage(source: ModelSource): string {
  const model = readModel(source);
  const tables = new Map(model.features.flatMap(({ tables }) => tables.map((table) => [table.name, table])));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Data model of ${escapeXml(model.title)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>Data model of ${escapeXml(model.title)}</h1>
<p>Each field reads tables that were made for it. <a href="/graphiql">Ask in GraphiQL</a></p>
<form role="search">
<label for="search">Field or table</label>
<input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="a name, or part of it">
<output for="search"></output>
</form>
</header>
<main>
${model.features.map((feature) => renderSection(feature, tables)).join('\n')}
</main>
<script>${script}</script>
</body>
</html>
`;
}

function renderSection(
  { name, tables, fields }: Model['features'][number],
  all: ReadonlyMap<string, ModelTable>,
): string {
  return `<section>
<h2>${escapeXml(name)}</h2>
${fields.map((field) => renderField(field, all)).join('\n')}
${tables.map((table) => `<details data-names="${table.name}"><summary>table <b>${table.name}</b></summary>${renderTable(table)}</details>`).join('\n')}
</section>`;
}

function renderField(field: ModelField, tables: ReadonlyMap<string, ModelTable>): string {
  const { name, signature, description, cost, reads, leadsTo } = field;
  return `<details data-names="${name} ${reads.join(' ')}"><summary><b>${name}</b> <span>${reads[0] ?? ''}</span></summary>
<pre tabindex="0">${escapeXml(signature)}</pre>
${description === '' ? '' : `<p>${renderText(description)}</p>`}
<p>${renderText(cost)}</p>
${leadsTo === null ? '' : `<p>Leads to ${escapeXml(leadsTo)}.</p>`}
<div class="tables">${reads
    .flatMap((table) => tables.get(table) ?? [])
    .map((table) => renderTable(table))
    .join('\n')}</div>
</details>`;
}

function renderTable({ name, comment, role, rowBytes, columns, cql, select }: ModelTable): string {
  const rows = columns.map(
    ({ name, type, kind }) => `<tr><td>${name}</td><td>${escapeXml(type)}</td><td>${kind}</td></tr>`,
  );
  const key = columns.filter(({ kind }) => kind === 'K').map(({ name }) => name);
  return `<article>
<h3>${name}</h3>
<p>${escapeXml(comment)} A row has at most ${rowBytes.toLocaleString('en')} bytes.</p>
${role ? `<p>For a backup: ${role.kind}. ${renderText(role.why)}.</p>\n` : ''}<p>Partition: <code>${key.join(', ')}</code></p>
<table><thead><tr><th>column</th><th>type</th><th>key</th></tr></thead><tbody>${rows.join('')}</tbody></table>
<pre tabindex="0">${escapeXml(cql)}\n\n${escapeXml(select)}</pre>
</article>`;
}

function renderText(description: string): string {
  return escapeXml(description).replace(/`([^`]*)`/g, '<code>$1</code>');
}

/** Shows only what has the search text in its name or in the names of its tables. Opens the only match, or an exact one. */
const script = `
const input = document.querySelector('#search');
const all = [...document.querySelectorAll('details[data-names]')];
const search = () => {
  const wanted = input.value.trim().toLowerCase();
  const found = all.filter((one) => one.dataset.names.toLowerCase().includes(wanted));
  const exact = found.find((one) => one.dataset.names.split(' ')[0].toLowerCase() === wanted);
  for (const one of all) one.hidden = !found.includes(one);
  for (const one of document.querySelectorAll('section'))
    one.hidden = wanted !== '' && !found.some((other) => one.contains(other));
  if (wanted !== '') for (const one of all) one.open = one === exact || found.length === 1 && one === found[0];
  history.replaceState(null, '', wanted === '' ? location.pathname : '#' + encodeURIComponent(input.value.trim()));
  document.querySelector('output').value = wanted === '' ? '' : found.length + ' found';
};
input.addEventListener('input', search);
document.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault();
  const first = all.find((one) => !one.hidden);
  if (first) { first.open = true; first.querySelector('summary').focus(); }
});
let name = location.hash.slice(1);
try { name = decodeURIComponent(name); } catch { /* as it is */ }
if (name) { input.value = name; search(); }
`;

const style = `
:root { color-scheme: light; --line: #d5dce4; --ink: #22303f; --soft: #52606d; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0 auto; max-width: 72rem; padding: 0 1rem 4rem; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: #fbfcfd; }
header { position: sticky; top: 0; z-index: 1; background: #fbfcfd; padding: .75rem 0; border-bottom: 1px solid var(--line); }
h1 { font-size: 1.4rem; margin: 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 0 0 .25rem; font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
header p { margin: .25rem 0 .5rem; color: var(--soft); }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
input { font: inherit; flex: 1 1 12rem; min-width: 0; max-width: 28rem; padding: .4rem .6rem; border: 1px solid #7b8794; border-radius: 6px; background: white; color: inherit; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .35rem 0; background: white; }
summary { cursor: pointer; padding: .5rem .75rem; overflow-wrap: anywhere; }
summary span { color: var(--soft); font: .85rem ui-monospace, monospace; }
details > :not(summary) { margin-left: .75rem; margin-right: .75rem; }
.tables { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); gap: .75rem; margin-bottom: .75rem; }
article { border: 1px solid var(--line); border-radius: 6px; padding: .75rem; margin-bottom: .75rem; min-width: 0; background: #f7f9fb; }
.tables article { margin-bottom: 0; }
article p { margin: .25rem 0; font-size: .9rem; }
table { border-collapse: collapse; font: .85rem ui-monospace, monospace; width: 100%; margin: .5rem 0; }
td:last-child, th:last-child { white-space: nowrap; overflow-wrap: normal; }
th, td { border: 1px solid var(--line); padding: .15rem .4rem; text-align: left; background: white; overflow-wrap: anywhere; }
pre { overflow-x: auto; font: .8rem/1.4 ui-monospace, monospace; background: white; border: 1px solid var(--line); border-radius: 6px; padding: .5rem; margin: .5rem 0 0; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
a { color: #0b5cad; }
:focus-visible { outline: 3px solid #0b5cad; outline-offset: 1px; }
`;

/** The page may run its own script, which is identified by its hash, and nothing else. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Escapes a text for XML and HTML. */
function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
