/** How many lines of each source are shown at most. */
const MAX_LINES = 12;

/**
 * The lines that say why a node did not start: errors and exceptions with their causes, without stack frames and repetitions.
 * If there are none, the last lines.
 */
export function linesThatMatter(systemLog: string, output: string): string[] {
  return [...select(systemLog), ...select(output)].filter((line, index, all) => all.indexOf(line) === index);
}

function select(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const matter = lines.filter((line) => pattern.test(line) && !/^\s+at |^\s+\.\.\. \d+ /.test(line));
  const chosen = matter.length > 0 ? [...new Set(matter)] : lines;
  return chosen.slice(-MAX_LINES).map((line) => line.slice(0, 400));
}

const pattern = /^(ERROR|FATAL|Error|Caused by|Unrecognized|Invalid)\b|\b\w+(Exception|Error)\b/;
