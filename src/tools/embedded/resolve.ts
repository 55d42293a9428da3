import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { makeFolder } from '../../kit/base/make-folder';
import { ResolveError } from './errors';
import { environmentWith, findJava, findMaven, javaVersion, type Java } from './java';
import { isAlive, ownProcessId, readProcessId } from './process';

const version = '5.0.9';

/** The files that start a node. */
export interface Cassandra {
  readonly version: string;
  /** The `java` to run, of the right version. */
  readonly java: string;
  /** The folder of jars: Cassandra's own and those that it needs to run. */
  readonly lib: string;
}

/** Returns the name of what is missing to run Cassandra here as a child process; undefined if nothing is. */
export function missingForEmbedded(): string | undefined {
  const found = findJava();
  if ('instead' in found) return `Java ${javaVersion} (${found.instead})`;
  if (existsSync(jarsFolder()) || findMaven(found) !== undefined) return undefined;
  return 'Maven (there is no mvn on the PATH)';
}

/**
 * Returns Cassandra's jars. Maven fetches them once, into a folder that all checkouts of one user share
 * (`$XDG_CACHE_HOME/murmuration`). The folder appears whole or not at all, so any number of processes may do this at once.
 *
 * @throws ResolveError
 */
export async function resolveCassandra(log: (line: string) => void): Promise<Cassandra> {
  const found = findJava();
  if ('instead' in found) throw new ResolveError(`Cassandra needs Java ${javaVersion}, but ${found.instead}`);
  const folder = jarsFolder();
  if (!existsSync(folder)) await fetchJars(found, folder, log);
  return { version, java: found.java, lib: folder };
}

function jarsFolder(): string {
  return join(
    process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'),
    'murmuration',
    `cassandra-${version}`,
  );
}

async function fetchJars(java: Java, folder: string, log: (line: string) => void): Promise<void> {
  await removeLeftovers(dirname(folder));
  const work = `${folder}.part-${process.pid}-${randomUUID()}`;
  await makeFolder(work).catch((error: unknown) => {
    throw new ResolveError(
      `XDG_CACHE_HOME, or else ~/.cache, must be a folder that can be written to, for the jars of Cassandra, but: ${String(error)}`,
    );
  });
  try {
    await writeFile(join(work, 'process.json'), JSON.stringify(await ownProcessId()));
    await writeFile(join(work, 'pom.xml'), pom);
    log(`Fetching Cassandra ${version} with Maven into ${folder}: 100 jars, 67 MB, once`);
    await runMaven(java, work, log);
    await rename(join(work, 'lib'), folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error; // Otherwise another process was first, with the same jars.
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function runMaven(java: Java, work: string, log: (line: string) => void): Promise<void> {
  const options = ['--batch-mode', '--strict-checksums', '--file', join(work, 'pom.xml')];
  const child = spawn(findMaven(java) ?? 'mvn', [...options, 'dependency:copy-dependencies'], {
    env: environmentWith(java),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const last: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => last.push(text.trimEnd()));
  let jars = 0;
  let loggedAt = Date.now();
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => {
      resolve(error.message);
    });
    child.once('close', (code, signal) => {
      resolve(code === 0 ? '' : `it ended with ${signal ?? code ?? 'nothing'}`);
    });
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if (/^\[(ERROR|FATAL)\]/.test(line)) last.push(line);
    if (/Downloaded .*\.jar/.test(line)) jars++;
    if (Date.now() - loggedAt < 5_000) continue;
    loggedAt = Date.now();
    log(`Fetching Cassandra: ${jars} jars so far`);
  }
  const problem = await ended;
  if (problem === '') return;
  throw new ResolveError(
    `Maven must fetch org.apache.cassandra:cassandra-all:${version}, but ${problem}\n${last.slice(0, 12).join('\n')}`,
  );
}

/** Removes the unfinished folders of processes that were killed while they fetched. */
async function removeLeftovers(cache: string): Promise<void> {
  for (const name of await readdir(cache).catch(() => [])) {
    if (!name.includes('.part-')) continue;
    const id = await readProcessId(join(cache, name, 'process.json'));
    if (id !== undefined && !(await isAlive(id)))
      await rm(join(cache, name), { recursive: true, force: true });
  }
}

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>murmuration</groupId>
  <artifactId>cassandra</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>org.apache.cassandra</groupId>
      <artifactId>cassandra-all</artifactId>
      <version>${version}</version>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-dependency-plugin</artifactId>
        <version>3.8.1</version>
        <configuration>
          <includeScope>runtime</includeScope>
          <outputDirectory>\${project.basedir}/lib</outputDirectory>
        </configuration>
      </plugin>
    </plugins>
  </build>
</project>
`;
