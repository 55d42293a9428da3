import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** The version of Java that runs Cassandra 5.0. Cassandra supports 11 and 17, and 11 is at the end of its life. */
export const javaVersion = 17;

/** A Java, and the folder that JAVA_HOME would name; null if that is not known. */
export interface Java {
  readonly java: string;
  readonly home: string | null;
}

/** The places to look for Java. */
interface Places {
  readonly environment: NodeJS.ProcessEnv;
  /** Patterns of folders that JAVA_HOME could name. */
  readonly folders: readonly string[];
}

/**
 * Finds Java 17: in JAVA_HOME, on the PATH, or where systems and version managers keep several of them. Otherwise says what was
 * found instead.
 */
export function findJava(places: Places = usualPlaces()): Java | { readonly instead: string } {
  const found: string[] = [];
  for (const { name, java } of candidates(places)) {
    const home = findHome(java);
    const version = versionIn(home) ?? versionSaidBy(java);
    if (version === javaVersion) return { java, home: versionIn(home) === undefined ? null : home };
    if (version !== undefined) found.push(`${name} has Java ${version}`);
  }
  return { instead: [...new Set(found)].join(', ') || 'there is no Java' };
}

/** The environment of a Java. In a locale that is not UTF-8, Java 17 on Linux finds no file whose path has characters other than ASCII. */
export function javaEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, ...(process.platform === 'linux' && { LC_ALL: 'C.UTF-8' }) };
}

/** The environment of programs that need a Java, such as Maven. */
export function environmentWith({ home }: Java): NodeJS.ProcessEnv {
  return { ...javaEnvironment(), ...(home !== null && { JAVA_HOME: home }) };
}

/** Finds Maven: in MAVEN_HOME, on the PATH, or where SDKMAN keeps it. */
export function findMaven(java: Java, environment = process.env): string | undefined {
  const { MAVEN_HOME: home, SDKMAN_DIR: sdkman = join(homedir(), '.sdkman') } = environment;
  return [
    ...(home ? [join(home, 'bin', 'mvn')] : []),
    'mvn',
    join(sdkman, 'candidates', 'maven', 'current', 'bin', 'mvn'),
  ].find((mvn) => spawnSync(mvn, ['--version'], { env: environmentWith(java) }).status === 0);
}

/** Returns the folders where systems (Debian, Fedora, SUSE, macOS, containers), version managers and development tools keep their Javas. */
export function usualPlaces(environment = process.env, home = homedir()): Places {
  const data = environment['XDG_DATA_HOME'] || join(home, '.local', 'share');
  const managed = (variable: string, byDefault: string, ...rest: string[]) =>
    join(environment[variable] || byDefault, ...rest);
  return {
    environment,
    folders: [
      ...['/usr/lib/jvm/*', '/usr/lib64/jvm/*', '/usr/java/*', '/opt/java/*', '/opt/jdk*'],
      ...['/Library', join(home, 'Library')].map((library) =>
        join(library, 'Java', 'JavaVirtualMachines', '*'),
      ),
      ...['/opt/homebrew', '/usr/local', '/home/linuxbrew/.linuxbrew'].flatMap((brew) => [
        join(brew, 'opt', 'openjdk@*', 'libexec', 'openjdk.jdk'),
        join(brew, 'opt', 'openjdk@*', 'libexec'),
      ]),
      managed('SDKMAN_DIR', join(home, '.sdkman'), 'candidates', 'java', '*'),
      managed('ASDF_DATA_DIR', join(home, '.asdf'), 'installs', 'java', '*'),
      managed('MISE_DATA_DIR', join(data, 'mise'), 'installs', 'java', '*'),
      managed('JENV_ROOT', join(home, '.jenv'), 'versions', '*'),
      managed('JABBA_HOME', join(home, '.jabba'), 'jdk', '*'),
      managed('GRADLE_USER_HOME', join(home, '.gradle'), 'jdks', '*'),
      join(home, '.jdks', '*'),
    ],
  };
}

function* candidates({ environment, folders }: Places): Iterable<{ name: string; java: string }> {
  const home = environment['JAVA_HOME'];
  if (home) yield { name: 'JAVA_HOME', java: join(home, 'bin', 'java') };
  for (const folder of (environment['PATH'] ?? '').split(delimiter))
    if (folder !== '') yield { name: 'the PATH', java: join(folder, 'java') };
  for (const pattern of folders)
    for (const folder of globSync(pattern))
      // Those of macOS are bundles.
      for (const inside of [folder, join(folder, 'Contents', 'Home')])
        yield { name: folder, java: join(inside, 'bin', 'java') };
}

/** The folder of a Java, where links and alternatives lead to. */
function findHome(java: string): string | null {
  try {
    return dirname(dirname(realpathSync(java)));
  } catch {
    return null;
  }
}

/** The version in the file `release`, which most Javas have, because starting one takes a tenth of a second. */
function versionIn(home: string | null): number | undefined {
  const path = home === null ? undefined : join(home, 'release');
  if (path === undefined || !existsSync(path)) return undefined;
  return parseVersion(/^JAVA_VERSION="([^"]+)"/m.exec(readFileSync(path, 'utf8'))?.[1]);
}

/** The version that a Java says of itself: of one without that file, or of a version manager's substitute for it. */
function versionSaidBy(java: string): number | undefined {
  if (!existsSync(java)) return undefined;
  const { stdout, stderr } = spawnSync(java, ['-version'], { encoding: 'utf8' });
  return parseVersion(/version "([^"]+)/.exec(`${stderr}${stdout}`)?.[1]);
}

function parseVersion(text: string | undefined): number | undefined {
  // Java 8 calls itself 1.8.
  const major = /^(?:1\.)?(\d+)/.exec(text ?? '')?.[1];
  return major === undefined ? undefined : Number(major);
}
