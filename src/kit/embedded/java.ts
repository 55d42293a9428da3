import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The version of Java that runs Cassandra 5.0. Cassandra supports 11 and 17, and 11 is at the end of its life. */
export const javaVersion = 17;

/** Finds Java 17, in JAVA_HOME or on the PATH; otherwise says what was found instead. */
export async function findJava(): Promise<{ readonly java: string } | { readonly instead: string }> {
  const home = process.env['JAVA_HOME'];
  const found: string[] = [];
  for (const java of home ? [join(home, 'bin', 'java'), 'java'] : ['java']) {
    const version = await versionOf(java);
    if (version === javaVersion) return { java };
    if (version !== undefined)
      found.push(`${java === 'java' ? 'the PATH' : 'JAVA_HOME'} has Java ${version}`);
  }
  return { instead: found.join(', ') || 'there is no Java' };
}

/** Whether Maven is on the PATH. */
export async function hasMaven(): Promise<boolean> {
  return promisify(execFile)('mvn', ['--version']).then(
    () => true,
    () => false,
  );
}

async function versionOf(java: string): Promise<number | undefined> {
  try {
    const { stdout, stderr } = await promisify(execFile)(java, ['-version']);
    const version = /version "(\d+)/.exec(stderr + stdout)?.[1];
    return version === undefined ? undefined : Number(version);
  } catch {
    return undefined;
  }
}
