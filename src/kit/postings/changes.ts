import { MAX_CHANGES_BYTES } from './postings.table';

/** A change of the segments of a part: the version after it, and the segments that it has changed. */
interface Change {
  readonly version: string;
  readonly segments: readonly string[];
}

/** The last changes in a text of `addChange`, oldest first. */
function parse(text: string): Change[] {
  return text.split('\n').map((line) => {
    const [version = '', ...segments] = line.split(' ');
    return { version, segments };
  });
}

/**
 * The text of the last changes after one more, as many as it may have. `text` is that of before, and `before` the version; null if there was none. If the
 * text does not end with that version, a server that writes no such text has changed something, and only the new change is known.
 */
export function addChange(text: string | null, before: string | null, change: Change): string {
  const former = text === null ? [] : parse(text);
  const known = former.at(-1)?.version === before ? former : [{ version: before ?? '', segments: [] }];
  const lines = [...known, change].map(({ version, segments }) => [version, ...segments].join(' '));
  while (lines.length > 0 && Buffer.byteLength(lines.join('\n')) > MAX_CHANGES_BYTES) lines.shift();
  // The segments of the oldest change are those before its version, which nobody asks for.
  return lines.length > 0 ? lines.join('\n') : change.version;
}

/** The segments that have changed from one version to another one, once each; null if the text does not say that. */
export function readChanges(text: string | null, from: string | null, to: string | null): string[] | null {
  if (text === null || from === null) return null;
  const changes = parse(text);
  const first = changes.findIndex(({ version }) => version === from);
  if (first < 0 || changes.at(-1)?.version !== to) return null;
  return [...new Set(changes.slice(first + 1).flatMap(({ segments }) => segments))];
}
