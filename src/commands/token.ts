import { Command } from 'commander';
import pino from 'pino';
import { readConfig, type Config } from '../config';
import { stopSignal } from '../kit/server/stop-signal';
import { openDatabase } from '../open';
import { TOKEN_DAYS, type Signer } from '../viewer/sign';
import { signerFor, tokensOfUsers } from '../token/tokens';

/** Prints tokens, one on each line. The exit status is 0 if all requested tokens were printed. */
async function main(): Promise<number> {
  const command = new Command('npm run --silent token --')
    .description(
      `Prints tokens for requests to this server (Authorization: Bearer …), valid for ${TOKEN_DAYS} days.`,
    )
    .argument('[username...]', 'users of the embedded database (case is ignored): prints a token for each')
    .option('--new', 'print a token for an identity that has no user yet')
    .option('--service', 'print a token for a service, which may read every timeline')
    .parse();
  const options = command.opts<{ new?: true; service?: true }>();
  const requested = [command.args.length > 0, options.new, options.service].filter(Boolean).length;
  if (requested !== 1) throw new Error('Give usernames, --new or --service: exactly one of the three.');
  const stopped = stopSignal();
  const config = readConfig(process.env);
  const signer = await signerFor(config, command.args.length > 0 ? 'users' : 'others');
  if (options.new) return print([await signer.forNewIdentity()]);
  if (options.service) return print([await signer.forService()]);
  return printForUsers(config, signer, command.args, stopped);
}

async function printForUsers(
  config: Config,
  signer: Signer,
  usernames: readonly string[],
  stopped: Promise<void>,
): Promise<number> {
  const opened = await openDatabase(config, pino({ level: config.logLevel }, pino.destination(2)));
  try {
    const tokens = tokensOfUsers(opened.database, signer, usernames);
    return await Promise.race([tokens.then(print), stopped.then(() => 130)]);
  } finally {
    await opened.close();
  }
}

function print(tokens: readonly string[]): number {
  process.stdout.write(`${tokens.join('\n')}\n`);
  return 0;
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
