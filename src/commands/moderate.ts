import { userInfo } from 'node:os';
import { Argument } from 'commander';
import { moderationActs } from '../features/moderation/moderation.table';
import { isId } from '../kit/base/ids';
import type { Database } from '../kit/cassandra/database';
import { checkedText } from '../kit/input/input-text';
import { monthOf } from '../kit/lists/buckets';
import { createLoad } from '../kit/reads/load';
import { listSuspended, lookAt } from '../write/moderation/look';
import { REASON, removeTweet, setSuspended } from '../write/moderation/moderate';
import type { WriteServices } from '../write/write-services';
import { createCommand } from './command';
import { findUserId } from './find-user';
import { runCommand, withDatabase } from './run-command';
import { withWriteServices } from './with-write-services';

const acts: Readonly<
  Record<string, (services: WriteServices, target: string, reason: string) => Promise<void>>
> = {
  suspend: async (services, target, reason) =>
    setSuspended(services, await findUserId(services.database, target), true, { actor: actor(), reason }),
  unsuspend: async (services, target, reason) =>
    setSuspended(services, await findUserId(services.database, target), false, { actor: actor(), reason }),
  remove: (services, target, reason) => removeTweet(services, tweetIdIn(target), { actor: actor(), reason }),
};

/** The subcommands that print something and change nothing. */
const looks: Readonly<Record<string, (database: Database, target: string | undefined) => Promise<number>>> = {
  log: printLog,
  async list(database, target) {
    if (target !== undefined) throw new Error(`list takes no target, but got: ${target}`);
    await printLines(listSuspended(database));
    return 0;
  },
  show: async (database, target = '') => {
    const shown = await printLines(lookAt(database, await findUserId(database, target)));
    if (shown === 0) throw new Error(`There is no user and no tweet with the id ${target}.`);
    return 0;
  },
};

/** How many acts `log` reads at a time. */
const ACTS_AT_ONCE = 1000;

/** Acts as a moderator, or prints what moderators did. The exit status is 0 if that succeeded. */
async function main(): Promise<number> {
  const command = createCommand('npm run moderate --')
    .description(
      'Suspends users and removes tweets while servers keep serving; each act is in an audit log. Lists who is suspended, and shows what is hidden.',
    )
    .addArgument(new Argument('<act>', 'what to do').choices([...Object.keys(acts), ...Object.keys(looks)]))
    .argument('[target]', '@username or userId of the user, tweetId of the tweet, or the month as 2026-11')
    .option('--reason <text>', 'why; it is kept in the audit log')
    .addHelpText('after', '\nExit status: 0 success, 2 failure.')
    .parse();
  const [name = '', target] = command.args;
  const { reason } = command.opts<{ reason?: string }>();
  if (name === 'show' && target === undefined) return command.error('show needs a target: show TARGET');
  const look = looks[name];
  if (look) return withDatabase((database) => look(database, target), { isQuiet: true });
  if (target === undefined || reason === undefined)
    return command.error(`${name} needs a target and --reason: ${name} TARGET --reason TEXT`);
  const why = checkedText('--reason', reason, REASON);
  return withDatabase(
    async (database, config) => {
      await withWriteServices(database, config, async (services) => acts[name]?.(services, target, why));
      process.stdout.write(`${name} ${target}: done\n`);
      return 0;
    },
    { isQuiet: true },
  );
}

/** Returns the name of the operator who runs the command, for the audit log. */
function actor(): string {
  return `operator ${userInfo().username}`;
}

function tweetIdIn(target: string): string {
  if (isId(target)) return target;
  throw new Error(`A tweet must be named by its tweetId, but got: ${JSON.stringify(target)}`);
}

/** Prints objects as lines of JSON, which escapes what a terminal would take for commands. Resolves to their number. */
async function printLines(objects: AsyncIterable<object>): Promise<number> {
  let count = 0;
  for await (const object of objects) {
    process.stdout.write(`${JSON.stringify(object)}\n`);
    count++;
  }
  return count;
}

async function printLog(database: Database, target: string | undefined): Promise<number> {
  const day = target === undefined ? new Date() : new Date(`${target}-01`);
  if (Number.isNaN(Number(day))) throw new Error(`A month must be like 2026-11, but got: ${target}`);
  const load = createLoad(database);
  for (let after: readonly [Date, string] | undefined; ;) {
    const acts = await load(moderationActs.page, { month: monthOf(day), after, limit: ACTS_AT_ONCE });
    for (const { actedAt, act, target: object, actor: by, reason } of acts)
      process.stdout.write(`${actedAt.toISOString()} ${act} ${object} by ${by}: ${reason}\n`);
    const last = acts.at(-1);
    if (last === undefined || acts.length < ACTS_AT_ONCE) return 0;
    after = [last.actedAt, last.target];
  }
}

runCommand(main);
