/** At most so many lines are shown of each source. */
const limit = 12;

/**
 * The lines that say why a node did not start: errors and exceptions with their causes, without stack frames and
 * repetitions; when there are none, simply the last ones.
 */
export function linesThatMatter(systemLog: string, output: string): string[] {
  return [...select(systemLog), ...select(output)].filter((line, index, all) => all.indexOf(line) === index);
}

function select(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const matter = lines.filter((line) => pattern.test(line) && !/^\s+at |^\s+\.\.\. \d+ /.test(line));
  const chosen = matter.length > 0 ? [...new Set(matter)] : lines;
  return chosen.slice(-limit).map((line) => line.slice(0, 400));
}

const pattern = /^(ERROR|FATAL|Error|Caused by|Unrecognized|Invalid)\b|\b\w+(Exception|Error)\b/;
