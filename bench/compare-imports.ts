import { startChild } from './child';
import { median, round, say, type Section } from './measure';
import { environment, importing, withDatabase, type Stage } from './stage';

const ROUNDS = 2;
const order = ['ours', 'raw', 'least'] as const;

/**
 * Imports the whole file into fresh keyspaces, in the order above and then in the reverse order. `least` is the raw driver
 * with all rows in memory.
 */
export async function compareImports({ contactPoint, network, brief }: Stage): Promise<Section> {
  const seconds = { ours: [] as number[], raw: [] as number[], least: [] as number[] };
  for (let roundNumber = 0; roundNumber < (brief ? 1 : ROUNDS); roundNumber++) {
    for (const which of roundNumber % 2 === 0 ? order : order.toReversed()) {
      const keyspace = `${which}_${roundNumber}`;
      const env = environment(contactPoint, keyspace);
      await withDatabase(contactPoint, keyspace, async () => {
        say(`Importing the ${network.name} network: ${which}, round ${roundNumber + 1}`);
        const how = which === 'least' ? 'whole' : '';
        const child =
          which === 'ours'
            ? startChild('src/commands/import.js', [network.path], env, importing)
            : startChild('bench/raw-writer.js', [contactPoint, keyspace, network.path, how], env, []);
        seconds[which].push(await child.ended());
      });
    }
  }
  const rateOf = (which: (typeof order)[number]) => network.edges.length / median(seconds[which]);
  const ours = rateOf('ours');
  const line = {
    what: 'import of follows',
    'ours /s': Math.round(ours),
    'raw /s': Math.round(rateOf('raw')),
    ratio: round(ours / rateOf('raw')),
    'of the least': round(ours / rateOf('least')),
  };
  return { title: 'Imports', lines: [line] };
}
