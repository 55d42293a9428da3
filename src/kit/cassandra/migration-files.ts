import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A numbered file of CQL. */
export interface Migration {
  readonly name: string;
  /** The hash of its statements without comments, white space and the comments of tables, which may change at any time. */
  readonly checksum: string;
  readonly statements: readonly string[];
  /** The steps for an operator after an upgrade: the rest of a line that begins with `-- After an upgrade:`. */
  readonly advice: string | null;
  /** Whether it only adds tables, types and columns, or changes options, so that servers of an earlier version can go on. */
  readonly isExpansion: boolean;
}

/** Whether a name is that of a migration: `NNN-name.cql`. */
export function isMigration(name: string): boolean {
  return /^\d{3}-[\w-]+\.cql$/.test(name);
}

/** Matches a statement that only adds: all statements of earlier versions mean the same after it. */
const EXPANDING = /^(?:CREATE (?:TABLE|TYPE)|ALTER TABLE \w+ (?:ADD|WITH)|ALTER TYPE \w+ ADD)\b/i;

/**
 * Reads the migrations of a folder in the order of their numbers. Throws if one creates a table that it or one before it drops: a node that
 * gets the two changes in the other order cannot tell the tables apart, and answers that there is none.
 */
export function readMigrations(folder: string): Migration[] {
  const dropped = new Set<string>();
  const migrations = readdirSync(folder)
    .filter(isMigration)
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      const statements = splitStatements(text);
      return {
        name,
        checksum: computeChecksum(statements),
        statements,
        advice: /^-- After an upgrade: (.+)$/m.exec(text)?.[1] ?? null,
        isExpansion: statements.every((statement) => EXPANDING.test(statement)),
      };
    });
  for (const { name, statements } of migrations)
    for (const statement of statements) {
      const [, act, table = ''] = /^(CREATE|DROP) TABLE (?:IF (?:NOT )?EXISTS )?(\w+)/i.exec(statement) ?? [];
      if (act?.toUpperCase() === 'DROP') dropped.add(table);
      else if (act !== undefined && dropped.has(table))
        throw new Error(
          `${name} must give the table ${table} another name than that of a table that was dropped.`,
        );
    }
  return migrations;
}

/** The version of the package that a folder belongs to; `0.0.0` if its package does not say. */
export function readVersion(folder: string): string {
  const path = join(folder, 'package.json');
  if (existsSync(path)) {
    const { version } = JSON.parse(readFileSync(path, 'utf8')) as { readonly version?: string };
    return version ?? '0.0.0';
  }
  return dirname(folder) === folder ? '0.0.0' : readVersion(dirname(folder));
}

/** Text in quotes, and comments. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"/;
const COMMENT = /--[^\n]*|\/\/[^\n]*|\/\*[^]*?\*\//;

/** Splits CQL into statements at its semicolons. Comments are left out, and quoted text is not split. */
function splitStatements(cql: string): string[] {
  const parts = cql.match(new RegExp(`${QUOTED.source}|${COMMENT.source}|;|[^]`, 'g')) ?? [];
  const isComment = new RegExp(`^(?:${COMMENT.source})$`);
  const statements = [''];
  for (const part of parts) {
    if (part === ';') statements.push('');
    else if (!isComment.test(part)) statements.push(`${statements.pop() ?? ''}${part}`);
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '');
}

function computeChecksum(statements: readonly string[]): string {
  const hash = createHash('sha256');
  for (const statement of statements) hash.update(`${wordsOf(statement)};`);
  return hash.digest('hex');
}

/** A statement as its words and signs, one space between two of them, without the comment of a table. */
function wordsOf(statement: string): string {
  const words = statement.match(new RegExp(`${QUOTED.source}|\\w+|[^\\s\\w]`, 'g')) ?? [];
  return words.join(' ').replace(new RegExp(`\\bcomment = (?:${QUOTED.source})`, 'i'), 'comment');
}
