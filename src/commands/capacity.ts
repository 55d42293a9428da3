import { InvalidArgumentError } from 'commander';
import { tables } from '../app';
import { describeCapacity } from '../capacity/report';
import { AIM } from '../capacity/workload';
import { createCommand } from './command';
import { runCommand } from './run-command';

/** Prints what the declarations of the tables say of a workload. It needs no database. */
async function main(): Promise<number> {
  const command = createCommand('npm run capacity --').description(
    'Computes from the declarations of the tables what a workload makes of them, and what breaks first: see docs/capacity.md.',
  );
  const options = {
    tweets: 'posts a second',
    people: 'how many people there are',
    nodes: 'Cassandra nodes',
    servers: 'server processes',
    heap: 'bytes of the heap of a server',
    replicas: 'nodes that have a row',
    pushed: 'timelines to which a post is pushed, on average',
    days: 'days for which what is kept for ever has been written',
    rankingHours: 'hours between two rankings',
  };
  for (const [name, meaning] of Object.entries(options))
    command.option(
      `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} <number>`,
      meaning,
      WHOLE.has(name) ? positiveWhole : positive,
      AIM[name as keyof typeof options],
    );
  command.parse();
  const workload = command.opts<typeof AIM>();
  const replicas = Math.min(workload.replicas, workload.nodes);
  process.stdout.write(describeCapacity(tables, { ...workload, replicas }));
  return 0;
}

function positive(text: string): number {
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  throw new InvalidArgumentError('It must be a number above 0.');
}

/** These counts must be whole numbers. */
const WHOLE: ReadonlySet<string> = new Set(['people', 'nodes', 'servers', 'replicas']);

function positiveWhole(text: string): number {
  const number = positive(text);
  if (Number.isInteger(number)) return number;
  throw new InvalidArgumentError('It must be a whole number.');
}

runCommand(main);
