import { readConfig } from '../config';
import { requireAllTokens, signerFor, tokensOfUsers } from '../token/tokens';
import { TOKEN_DAYS } from '../features/viewer/sign';
import { createCommand, MISSING_ARGUMENT } from './command';
import { requireDatabase, runCommand, withDatabase } from './run-command';

/** Prints tokens, one on each line. The exit status is 0 if all requested tokens were printed, 1 if not; 2 for wrong arguments. */
async function main(): Promise<number> {
  const command = createCommand('npm run --silent token --')
    .description(
      `Prints tokens for requests to this server (Authorization: Bearer …), valid for ${TOKEN_DAYS} days.`,
    )
    .argument('[username...]', 'users of the embedded database (case is ignored): prints a token for each')
    .option('--new', 'print a token for an identity that has no user yet')
    .option('--service', 'print a token for a service, which may read every timeline')
    .addHelpText(
      'after',
      '\nThe line of a username that nobody has is empty. Exit status: 0 all tokens were printed, 1 not all.',
    )
    .parse();
  const options = command.opts<{ new?: true; service?: true }>();
  const requested = [command.args.length > 0, options.new, options.service].filter(Boolean).length;
  if (requested !== 1)
    command.error('Give usernames, --new or --service: exactly one of the three.', {
      code: MISSING_ARGUMENT,
    });
  const config = readConfig(process.env);
  // Without this check, a wrong folder would get a secret of its own, with which no server checks tokens.
  const { secret, jwksUrl } = config.jwt;
  if (command.args.length > 0 || (secret === null && jwksUrl === null)) await requireDatabase(config);
  const signer = await signerFor(config, command.args.length > 0 ? 'users' : 'others');
  if (options.new) return print([await signer.forNewIdentity()]);
  if (options.service) return print([await signer.forService()]);
  return withDatabase(async (database) => {
    const tokens = await tokensOfUsers(database, signer, command.args);
    // Each token stays on the line of its username, so that nobody takes it for another one's.
    print(tokens.map((token) => token ?? ''));
    requireAllTokens(command.args, tokens, config.dataDir);
    return 0;
  });
}

function print(tokens: readonly string[]): number {
  process.stdout.write(`${tokens.join('\n')}\n`);
  return 0;
}

runCommand(main, 1);
