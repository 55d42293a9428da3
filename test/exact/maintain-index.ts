import pino from 'pino';
import { readConfig } from '../../src/config';
import { openDatabase } from '../../src/open';
import { tweetIndexesIn } from '../../src/features/search/tweet-index';

// Seals and merges one of the indexes once, so that the process which does it can be killed. The argument is the name of its list.
// It prints a line when it begins and one when it has ended.

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const opened = await openDatabase(config, pino({ level: 'warn' }, pino.destination(2)), { asItIs: true });
  try {
    const { newest, liked } = tweetIndexesIn(opened.database);
    const index = [newest, liked].find(({ list }) => list === process.argv[2]);
    if (index === undefined)
      throw new Error(`The argument must be the list of an index, but got: ${process.argv[2]}`);
    process.stdout.write('begins\n');
    await index.maintain({ afterMs: 0, ageMs: 0 });
    process.stdout.write('ended\n');
  } finally {
    await opened.close();
  }
}

void main();
