import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diagramsOf, type Diagram } from './diagram';
import { escapeXml } from './escape';
import { modelOf, type Feature, type Model, type ModelSource } from './model';

/** What `npm run model` writes, by file name. */
export async function modelFiles(source: ModelSource): Promise<Readonly<Record<string, string>>> {
  const model = modelOf(source);
  return { 'model.md': markdownOf(model), 'model.svg': svgOf(model.title, await diagramsOf(model)) };
}

/** Writes `model.md` and `model.svg` into a folder. */
export async function writeModel(source: ModelSource, folder: string): Promise<void> {
  for (const [name, content] of Object.entries(await modelFiles(source)))
    writeFileSync(join(folder, name), content);
}

const MARGIN = 24;
const HEADING = 40;

/** All diagrams in one drawing, each below the one before. */
function svgOf(title: string, diagrams: readonly Diagram[]): string {
  const width = 2 * MARGIN + Math.max(...diagrams.map((diagram) => diagram.width));
  let y = MARGIN;
  const parts = diagrams.map((diagram) => {
    const heading = `<text x="${MARGIN}" y="${y + 20}" font-family="Helvetica,Arial,sans-serif" font-size="18" font-weight="bold" fill="#22303f">${escapeXml(diagram.title)}</text>`;
    const drawing = diagram.svg.replace('<svg ', `<svg x="${MARGIN}" y="${y + HEADING}" `);
    y += HEADING + diagram.height + MARGIN;
    return `${heading}\n${drawing}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" role="img" aria-label="Data model of ${escapeXml(title)}">
<rect width="100%" height="100%" fill="#fbfcfd"/>
${parts.join('\n')}</svg>
`;
}

function markdownOf({ title, features }: Model): string {
  return `# Data model of ${title}

Written by \`npm run model\` from the table declarations, the comments of \`cql/\` and the schema. K is of the partition key,
C↑ and C↓ of the clustering key with its order, S is static: said once a partition. The first table of a field is its own;
what a page costs is said with each field. Mutations are listed with what they read to decide, and not drawn.

![Workflow, fields and tables](model.svg)

${features.map(sectionOf).join('\n')}`;
}

function sectionOf({ name, tables, fields }: Feature): string {
  const rows = fields.map(
    ({ name, reads, leadsTo, cost }) =>
      `| \`${name}\` | ${reads.map((table) => `\`${table}\``).join(', ')} | ${leadsTo ?? ''} | ${cellOf(cost)} |`,
  );
  const asked =
    rows.length === 0
      ? ''
      : `| field | reads | leads to | cost |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n\n`;
  const shapes = tables.map(({ name, comment, columns }) => {
    const marked = columns.map(({ name, type, mark }) => `${name} ${type}${mark && ` ${mark}`}`);
    return `- **\`${name}\`**: ${comment}\n  ${marked.join(' · ')}`;
  });
  return `## ${name}\n\n${asked}${shapes.join('\n')}\n`;
}

function cellOf(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
