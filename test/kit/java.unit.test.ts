import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findJava, usualPlaces } from '../../src/tools/embedded/java';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'javas-'));
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

/** Makes what looks like a Java in a folder of the home; one without a file `release` says its version when it is started. */
function install(folder: string, version: string, { says = false } = {}): string {
  const path = join(home, folder);
  const java = join(path, 'bin', 'java');
  mkdirSync(dirname(java), { recursive: true });
  writeFileSync(java, `#!/bin/sh\n${says ? `echo 'openjdk version "${version}"' >&2` : 'exit 1'}\n`);
  chmodSync(java, 0o755);
  if (!says) writeFileSync(join(path, 'release'), `IMPLEMENTOR="x"\nJAVA_VERSION="${version}"\n`);
  return path;
}

/** Looks for Java where a person with this home has it, and not where this machine has one. */
function find(environment: NodeJS.ProcessEnv = {}) {
  const places = usualPlaces(environment, home);
  return findJava({ ...places, folders: places.folders.filter((folder) => folder.startsWith(home)) });
}

test.each([
  ['SDKMAN', '.sdkman/candidates/java/17.0.15-tem'],
  ['asdf', '.asdf/installs/java/temurin-17.0.15+6'],
  ['mise', '.local/share/mise/installs/java/17'],
  ['jenv', '.jenv/versions/openjdk64-17.0.15'],
  ['jabba', '.jabba/jdk/temurin@1.17.0'],
  ['Gradle', '.gradle/jdks/eclipse_adoptium-17-amd64-linux'],
  ['IntelliJ', '.jdks/temurin-17.0.15'],
  ['macOS', 'Library/Java/JavaVirtualMachines/temurin-17.jdk/Contents/Home'],
])('Java 17 is found where %s keeps it, though JAVA_HOME and the PATH have another', (_, folder) => {
  const wanted = install(folder, '17.0.15');
  const JAVA_HOME = install('jdk-21', '21.0.7');
  expect(find({ JAVA_HOME, PATH: join(install('jdk-25', '25'), 'bin') })).toEqual({
    java: join(wanted, 'bin', 'java'),
    home: wanted,
  });
});

test.each(['SDKMAN_DIR', 'ASDF_DATA_DIR', 'MISE_DATA_DIR', 'JENV_ROOT', 'JABBA_HOME', 'GRADLE_USER_HOME'])(
  'Java 17 is found where %s says',
  (variable) => {
    const folders = ['candidates/java', 'installs/java', 'versions', 'jdk', 'jdks'];
    for (const folder of folders) install(join('elsewhere', folder, '17'), '17.0.15');
    expect(find({ [variable]: join(home, 'elsewhere') })).toHaveProperty('java');
  },
);

test('Java 17 on the PATH is found behind links and the substitutes of version managers', () => {
  const real = install('real', '17.0.15');
  mkdirSync(join(home, 'alternatives'));
  symlinkSync(join(real, 'bin', 'java'), join(home, 'alternatives', 'java'));
  expect(find({ PATH: `/nowhere:${join(home, 'alternatives')}` })).toMatchObject({ home: real });
  const shims = join(install('shims', '17.0.15', { says: true }), 'bin');
  expect(find({ PATH: shims })).toEqual({ java: join(shims, 'java'), home: null });
});

test('JAVA_HOME goes before the PATH, and both before the usual folders', () => {
  const folders = ['.jdks/17', 'path', 'home'].map((folder) => install(folder, '17.0.15'));
  const [, path = '', JAVA_HOME = ''] = folders;
  expect(find({ JAVA_HOME, PATH: join(path, 'bin') })).toMatchObject({ home: JAVA_HOME });
  expect(find({ PATH: join(path, 'bin') })).toMatchObject({ home: path });
});

test('what was found instead is said, and where', () => {
  expect(find()).toEqual({ instead: 'there is no Java' });
  const old = install('.jdks/8', '1.8.0_442');
  const JAVA_HOME = install('jdk-21', '21.0.7');
  expect(find({ JAVA_HOME: join(home, 'missing') })).toEqual({ instead: `${old} has Java 8` });
  expect(find({ JAVA_HOME, PATH: join(JAVA_HOME, 'bin') })).toEqual({
    instead: `JAVA_HOME has Java 21, the PATH has Java 21, ${old} has Java 8`,
  });
});
