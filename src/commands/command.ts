import { Command } from 'commander';

/** The exit status of a command that is called with wrong arguments; 1 means something else for most commands. */
const WRONG_ARGUMENTS = 2;

/** The code of commander's error of a missing argument. */
export const MISSING_ARGUMENT = 'commander.missingArgument';

/**
 * Creates a command. It ends the process with 2 if it is called with arguments that it does not have, or without one that it needs; then it also
 * prints what it takes.
 */
export function createCommand(name: string): Command {
  const command = new Command(name);
  return command.allowExcessArguments(false).exitOverride(({ code, exitCode }) => {
    if (code === MISSING_ARGUMENT) {
      process.stderr.write('\n');
      command.outputHelp({ error: true });
    }
    process.exit(exitCode === 0 ? 0 : WRONG_ARGUMENTS);
  });
}
