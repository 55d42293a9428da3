import { SingleBar } from 'cli-progress';
import { Command } from 'commander';
import pino from 'pino';
import {
  createBulkWriter,
  createHttpServer,
  encodeNodeId,
  openKeyspace,
  readSettings,
  runServer,
  serverConfigOf,
  serverSettings,
} from 'murmuration/kit';
import { fill, generate } from './generate';
import { cql, model } from './model';

const config = serverConfigOf(
  readSettings(serverSettings, { CASSANDRA_KEYSPACE: 'weather', ...process.env }),
);
const day = (n: number) => new Date(Math.floor(Date.now() / 86_400_000 + n) * 86_400_000).toISOString();
const tabs = [
  {
    query: `# What each station of a region measured last.

query Region {
  stationsOfRegion(region: "North") {
    edges {
      latest {
        at
        temperature
        wind
      }
      node {
        id
        name
      }
    }
  }
}
`,
    variables: '{}',
  },
  {
    query: `# A station's readings and hours.

query Station($id: ID!, $from: DateTime!, $to: DateTime!) {
  station(id: $id) {
    name
    readings(from: $from, to: $to, first: 10) {
      nodes {
        at
        temperature
      }
    }
    summaries(unit: HOUR, from: $from, to: $to) {
      at
      readings
      least
      mean
      greatest
    }
  }
}
`,
    variables: JSON.stringify({ id: encodeNodeId('Station', '1'), from: day(-1), to: day(1) }, null, 2),
  },
];

function serve(): void {
  runServer(() => {
    const logger = pino({ level: config.logLevel });
    return {
      config,
      logger,
      open: () => openKeyspace(config, cql, logger),
      async serve({ database }) {
        await fill(database, new Date());
        const bulk = createBulkWriter(database);
        return createHttpServer({
          model,
          database,
          config,
          logger,
          page: {
            title: 'Weather',
            tabs,
            emptyTab: '{\n  stationsOfRegion(region: "South") {\n    nodes {\n      name\n    }\n  }\n}\n',
          },
          contextOf: () => ({ database, bulk }),
        });
      },
    };
  });
}

async function generateReadings(settings: {
  readonly rate: number;
  readonly seconds: number;
}): Promise<void> {
  const opened = await openKeyspace(config, cql, pino({ level: 'warn' }));
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

const program = new Command('npm run example -- weather')
  .description('Serves the weather example.')
  .action(serve);
program
  .command('generate')
  .description('Has the stations measure, at a steady rate.')
  .option('--rate <n>', 'readings a second', Number, 100)
  .option('--seconds <n>', 'for how long', Number, 60)
  .action(generateReadings);
void program.parseAsync();
