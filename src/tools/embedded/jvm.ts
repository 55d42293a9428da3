import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { separator, type Running } from './process';
import type { Ports } from './ports';
import type { Cassandra } from './resolve';
import { nodeFiles, type NodeSettings } from './settings';

/** The main class of Cassandra, whose name is in the command of each Cassandra JVM. */
export const mainClass = 'org.apache.cassandra.service.CassandraDaemon';

/** The argument in a JVM's command that says which folder it works on. */
export function folderWord(dir: string): string {
  return `-Dcassandra.storagedir=${dir}${separator}`;
}

/** The ports of a running JVM, read from its command: unlike a file, that cannot be out of date. */
export function findPorts({ command }: Running): Ports | undefined {
  const native = /-Dcassandra\.native_transport_port=(\d+)/.exec(command)?.[1];
  const storage = /-Dcassandra\.storage_port=(\d+)/.exec(command)?.[1];
  return native === undefined || storage === undefined
    ? undefined
    : { native: Number(native), storage: Number(storage) };
}

/** The arguments with which Java runs Cassandra. `properties` are further `-D` properties, by which others recognise the JVM. */
export async function jvmArguments(
  cassandra: Cassandra,
  settings: NodeSettings,
  properties: readonly string[] = [],
): Promise<string[]> {
  const { dir, heap, ports, ringDelay } = settings;
  const files = nodeFiles(dir);
  const jamm = (await readdir(cassandra.lib)).find((name) => /^jamm-.*\.jar$/.test(name));
  if (jamm === undefined)
    throw new Error(`${cassandra.lib} must hold jamm-*.jar; remove the folder to fetch it again`);
  return [
    `-Xms${heap}`,
    `-Xmx${heap}`,
    '-Xss512k',
    '-XX:+UseG1GC',
    '-XX:+ExitOnOutOfMemoryError',
    `-XX:ErrorFile=${join(dir, 'logs', 'crash-%p.log')}`,
    `-javaagent:${join(cassandra.lib, jamm)}`,
    '-Djdk.attach.allowAttachSelf=true',
    ...packages('--add-exports', exported),
    ...packages('--add-opens', opened),
    `-Djava.io.tmpdir=${files.temporary}`,
    `-Dcassandra.config=${pathToFileURL(files.yaml).href}`,
    `-Dlogback.configurationFile=${files.logback}`,
    `-Dcassandra.storagedir=${dir}`,
    `-Dcassandra.native_transport_port=${ports.native}`,
    `-Dcassandra.storage_port=${ports.storage}`,
    '-Dcassandra-foreground=true',
    '-Dcassandra.skip_wait_for_gossip_to_settle=0',
    `-Dcassandra.ring_delay_ms=${ringDelay}`,
    // How long a node that ends waits until the others know of it.
    `-Dcassandra.shutdown_announce_in_ms=${ringDelay}`,
    '-Dcassandra.superuser_setup_delay_ms=0',
    // The password is random and long, so nobody needs to be slowed down who tries others.
    '-Dcassandra.auth_bcrypt_gensalt_log2_rounds=4',
    ...properties,
    '-cp',
    `${join(dir, 'conf')}:${join(cassandra.lib, '*')}`,
    mainClass,
  ];
}

/** The internals of the JDK that Cassandra 5.0 uses (its conf/jvm17-server.options). */
const exported = {
  'java.base': ['jdk.internal.misc', 'java.lang.ref'],
  'java.management.rmi': ['com.sun.jmx.remote.internal.rmi'],
  'java.rmi': ['sun.rmi.registry', 'sun.rmi.server', 'sun.rmi.transport.tcp'],
  'java.sql': ['java.sql'],
  'jdk.unsupported': ['sun.misc'],
};

const opened = {
  'java.base': [
    'java.io',
    'java.lang',
    'java.lang.module',
    'java.lang.reflect',
    'java.nio',
    'java.util',
    'java.util.concurrent',
    'java.util.concurrent.atomic',
    'jdk.internal.loader',
    'jdk.internal.math',
    'jdk.internal.module',
    'jdk.internal.ref',
    'jdk.internal.reflect',
    'jdk.internal.util.jar',
    'sun.nio.ch',
  ],
  'jdk.management': ['com.sun.management.internal'],
  'java.rmi': ['sun.rmi.transport.tcp'],
};

function packages(option: string, modules: Record<string, string[]>): string[] {
  return Object.entries(modules).flatMap(([module, names]) =>
    names.map((name) => `${option}=${module}/${name}=ALL-UNNAMED`),
  );
}
