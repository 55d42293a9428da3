import { Command } from 'commander';

/** The exit status of a command that is called with wrong arguments; 1 means something else for most commands. */
const WRONG_ARGUMENTS = 2;

/** Creates a command. It ends the process with 2 if it is called with arguments that it does not have. */
export function createCommand(name: string): Command {
  return new Command(name)
    .allowExcessArguments(false)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : WRONG_ARGUMENTS));
}
