import { SingleBar } from 'cli-progress';
import { Command, InvalidArgumentError } from 'commander';
import { programOf, runServer } from 'murmuration/kit';
import { generate } from './generate';
import { weatherServer } from './server';

async function generateReadings(settings: {
  readonly rate: number;
  readonly seconds: number;
}): Promise<void> {
  const opened = await programOf(weatherServer, { LOG_LEVEL: 'warn', ...process.env }).open();
  const bar = new SingleBar({
    format: 'readings {bar} {percentage}% | {value} of {total} | {duration_formatted}',
    noTTYOutput: true,
    notTTYSchedule: 5000,
  });
  bar.start(settings.rate * settings.seconds, 0);
  try {
    await generate(opened.database, settings, (stored) => {
      bar.update(stored);
    });
  } finally {
    bar.stop();
    await opened.close();
  }
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < Infinity)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

const program = new Command('npm run example -- weather')
  .description('Serves the weather example.')
  .action(() => {
    runServer(() => programOf(weatherServer, process.env));
  });
program
  .command('generate')
  .description('Stores new readings of the stations at a steady rate.')
  .option('--rate <n>', 'readings per second', positive, 100)
  .option('--seconds <n>', 'for how many seconds', positive, 60)
  .action(generateReadings);
void program.parseAsync();
