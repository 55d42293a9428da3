import { instance } from '@viz-js/viz';
import { escapeXml } from './escape';
import { isOfList, typeOf, type Feature, type Model, type ModelField, type ModelTable } from './model';

/** A drawing, with its size in pixels. */
export interface Diagram {
  readonly title: string;
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** Draws the workflow (which question leads to which) and the questions and tables of each feature, as Chebotko diagrams. */
export async function diagramsOf(model: Model): Promise<Diagram[]> {
  const viz = await instance();
  const draw = (title: string, dot: string): Diagram => {
    const svg = viz.renderString(dot, { format: 'svg' });
    const [, width = '0', height = '0'] = /<svg width="(\d+)pt" height="(\d+)pt"/.exec(svg) ?? [];
    const inner = svg
      .slice(svg.indexOf('<svg'))
      .replace(/<!--[^]*?-->\n?/g, '')
      .replace(/ id="[^"]*"/g, '')
      .replace(/<title>[^]*?<\/title>\n?/g, '')
      .replaceAll('font-family="Courier,monospace"', fonts)
      .replace(/(<svg [^>]*?)width="\d+pt" height="\d+pt"/, `$1width="${width}" height="${height}"`);
    return { title, svg: inner, width: Number(width), height: Number(height) };
  };
  const owners = new Map(
    model.features.flatMap(({ name, tables }) => tables.map((table) => [table.name, name])),
  );
  return [
    draw('Workflow: which question leads to which', workflowOf(model)),
    ...model.features.map((feature) => draw(feature.name, featureOf(feature, owners))),
  ];
}

/** Fonts whose letters are as wide as those of Courier, with which the layout is computed. */
const fonts = `font-family="'DejaVu Sans Mono',Menlo,'Liberation Mono','Courier New',monospace"`;

const style = `
  bgcolor=transparent
  node [shape=plain fontname="Courier" fontsize=12]
  edge [color="#5b6b7f" arrowsize=0.7]`;

/** Draws each type as a box of the questions that can be asked of it. Each question leads to the type of its answer. */
function workflowOf({ features }: Model): string {
  const fields = features.flatMap((feature) => feature.fields).filter(isQuestion);
  const types = new Map<string, ModelField[]>();
  for (const field of fields)
    types.set(typeOf(field.name), [...(types.get(typeOf(field.name)) ?? []), field]);
  const boxes = [...types].map(
    ([type, questions]) =>
      `"${type}" [label=<<TABLE BORDER="0" CELLBORDER="1" CELLSPACING="0" CELLPADDING="5" COLOR="#5b6b7f">
<TR><TD BGCOLOR="#dbe7f5" PORT="head"><B>${type === 'Query' ? 'start' : type}</B></TD></TR>
${questions
  .map(
    ({ name, leadsTo }) =>
      `<TR><TD ALIGN="LEFT" BGCOLOR="white" PORT="${fieldOf(name)}">${fieldOf(name)}${leadsTo === type ? ' ↻' : ''}</TD></TR>`,
  )
  .join('\n')}
</TABLE>>]`,
  );
  const arrows = fields.flatMap(({ name, leadsTo }) => {
    const type = typeOf(name);
    return leadsTo === null || leadsTo === type || !types.has(leadsTo)
      ? []
      : `"${type}":"${fieldOf(name)}" -> "${leadsTo}":head:w`;
  });
  return `digraph { rankdir=LR nodesep=0.3 ranksep=1.2 ${style}\n${[...boxes, ...arrows].join('\n')} }`;
}

/** Draws the questions of a feature on the left and the tables that they read on the right; tables of other features by name. */
function featureOf({ tables, fields }: Feature, owners: ReadonlyMap<string, string>): string {
  const questions = fields.filter(({ name }) => !name.startsWith('Mutation.'));
  const own = new Set(tables.map(({ name }) => name));
  const others = new Set(questions.flatMap(({ reads }) => reads).filter((name) => !own.has(name)));
  const nodes = [
    ...questions.map(
      ({ name }) =>
        `"${name}" [shape=box style="rounded,filled" fillcolor="#fff4d6" color="#a07a1c" margin="0.15,0.06" label="${name}"]`,
    ),
    ...tables.map((table) => `"table ${table.name}" [label=<${labelOf(table)}>]`),
    ...[...others].map(
      (name) =>
        `"table ${name}" [shape=box style=filled fillcolor="#f2f4f7" color="#9aa5b1" fontsize=11 margin="0.12,0.05" label="${name}\\n(${owners.get(name) ?? ''})"]`,
    ),
  ];
  const arrows = questions.flatMap(({ name, reads }) =>
    reads.map(
      (table, index) =>
        `"${name}" -> "table ${table}"${own.has(table) ? ':head:w' : ''}${index === 0 ? '' : ' [style=dashed]'}`,
    ),
  );
  // Invisible arrows put the tables that no question reads among those that are read.
  const [first] = questions;
  const unread = tables.filter(({ name }) => !questions.some(({ reads }) => reads.includes(name)));
  if (first) arrows.push(...unread.map((table) => `"${first.name}" -> "table ${table.name}" [style=invis]`));
  return `digraph { rankdir=LR nodesep=0.2 ranksep=1.5 ${style}\n${[...nodes, ...arrows].join('\n')} }`;
}

function labelOf({ name, columns }: ModelTable): string {
  const rows = columns.map(
    (column) =>
      `<TR><TD ALIGN="LEFT" BGCOLOR="white">${column.name}</TD><TD ALIGN="LEFT" BGCOLOR="white"><FONT COLOR="#5b6b7f">${escapeXml(column.type)}</FONT></TD><TD BGCOLOR="white">${column.kind}</TD></TR>`,
  );
  return `<TABLE BORDER="0" CELLBORDER="1" CELLSPACING="0" CELLPADDING="3" COLOR="#5b6b7f"><TR><TD COLSPAN="3" BGCOLOR="#dbe7f5" PORT="head"><B>${name}</B></TD></TR>${rows.join('')}</TABLE>`;
}

function isQuestion({ name }: ModelField): boolean {
  const type = typeOf(name);
  return type !== 'Mutation' && !isOfList(type);
}

function fieldOf(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}
