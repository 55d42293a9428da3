import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { nodeEnvironment, nodePath } from './node.mjs';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program of Node in place of this one: with its input and output, its signals and its exit status.
 *
 * Ctrl-C reaches every process in the terminal's group, and npm forwards it as well. So the child gets its own group,
 * receives signals only from here, and receives only one of those that come within a second.
 */
export function runChild(args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(nodePath(), args, {
      stdio: 'inherit',
      detached: true,
      env: { ...process.env, ...nodeEnvironment(), ...env },
    });
    let last = -Infinity;
    const forward = (signal) => {
      const now = performance.now();
      if (now - last > 1_000) child.kill(signal);
      last = now;
    };
    for (const signal of signals) process.on(signal, forward);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      for (const name of signals) process.off(name, forward);
      process.exitCode = code ?? 128 + constants.signals[signal];
      resolve();
    });
  });
}
