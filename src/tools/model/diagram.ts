import {
  isOfList,
  namedTypeOf,
  type ModelFeature,
  type Model,
  type ModelField,
  type ModelTable,
} from './model';

/** Draws which question leads to which, as Mermaid: each type is a node, and each arrow has the fields that lead to its type. */
export function workflowDiagram({ features }: Model): string {
  const questions = features.flatMap(({ fields }) => fields).filter(isQuestion);
  const asked = new Set(questions.map(({ name }) => namedTypeOf(name)));
  const arrows = new Map<string, string[]>();
  for (const { name, leadsTo } of questions) {
    if (leadsTo === null || !asked.has(leadsTo)) continue;
    const arrow = `${nameNode(namedTypeOf(name))} -->|"FIELDS"| ${leadsTo}`;
    arrows.set(arrow, [...(arrows.get(arrow) ?? []), name.slice(name.indexOf('.') + 1)]);
  }
  return flowchart([...arrows].map(([arrow, fields]) => arrow.replace('FIELDS', fields.join('<br>'))));
}

/** Draws the questions of a feature and the tables that they read, as Mermaid. A dotted arrow leads to what is read besides. */
export function featureDiagram({ tables, fields }: ModelFeature): string {
  const arrows = fields
    .filter(isQuestion)
    .flatMap(({ name, reads }, index) =>
      reads.map(
        (table, place) => `question${index}(["${name}"]) ${place === 0 ? '-->' : '-.->'} table_${table}`,
      ),
    );
  const own = new Set(tables.map(({ name }) => name));
  const others = new Set(
    fields.filter(isQuestion).flatMap(({ reads }) => reads.filter((name) => !own.has(name))),
  );
  return flowchart([
    ...tables.map((table) => `table_${table.name}["${describeTable(table)}"]`),
    ...[...others].map((name) => `table_${name}["${name}"]`),
    ...arrows,
  ]);
}

function flowchart(lines: readonly string[]): string {
  return ['```mermaid', 'flowchart LR', ...lines.map((line) => `  ${line}`), '```'].join('\n');
}

/** The name of a table and the columns of its key. */
function describeTable({ name, columns }: ModelTable): string {
  return [
    `<b>${name}</b>`,
    ...columns.filter(({ kind }) => kind !== '').map((one) => `${one.name} ${one.kind}`),
  ].join('<br>');
}

function nameNode(type: string): string {
  return type === 'Query' ? 'start((start))' : type;
}

function isQuestion({ name }: ModelField): boolean {
  const type = namedTypeOf(name);
  return type !== 'Mutation' && !isOfList(type);
}
