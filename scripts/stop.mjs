/** Tells the person who started a script. Standard output is for the program that runs afterwards. */
export function tell(line) {
  process.stderr.write(`${line}\n`);
}

/** Ends a script that cannot go on, and says why. */
export function stop(why) {
  tell(why);
  process.exitCode = 1;
  throw new Stop();
}

class Stop extends Error {}

/** Runs the work of a script. If a step fails and has said why, the script just ends. */
export async function script(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
  }
}
