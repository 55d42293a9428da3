import { join } from 'node:path';
import type { Ports } from './ports';

/** The settings of one node: where its files are, where it listens, and which nodes it asks for the others. */
export interface NodeSettings {
  /** The absolute path of the folder for everything that the node writes: data, commit log, configuration, logs. */
  readonly dir: string;
  /** Loopback addresses only. */
  readonly address: string;
  readonly ports: Ports;
  /** The size of the heap, as Java writes it: `512M`, `1G`. */
  readonly heap: string;
  /** Addresses of the nodes that a new node asks first; its own address if it is the first. */
  readonly seeds: readonly string[];
  /** How long a joining node waits until the others know of it, in milliseconds; 0 if there are no others. */
  readonly ringDelay: number;
  /** The snitch that tells a node's data centre. By default all have the same one; this one takes the second number of the address. */
  readonly snitch?: 'RackInferringSnitch';
  /** Whether clients need a password. */
  readonly asksForPassword: boolean;
  /** Whether it keeps for other nodes that are away what they miss. Default: yes. */
  readonly hints?: boolean;
  /** Whether the node outlives this process; if not, it gets the terminal's Ctrl-C, too. */
  readonly detached: boolean;
}

/** The data centre of a node, unless its ring has several: the one name that SimpleSnitch gives. */
export const datacenter = 'datacenter1';

/** The files and folders of a node. */
export function nodeFiles(dir: string) {
  return {
    yaml: join(dir, 'conf', 'cassandra.yaml'),
    logback: join(dir, 'conf', 'logback.xml'),
    systemLog: join(dir, 'logs', 'system.log'),
    /** The output of the JVM itself: all there is if it stops before it can log. */
    outputLog: join(dir, 'logs', 'output.log'),
    temporary: join(dir, 'tmp'),
  };
}

/** `cassandra.yaml`, written as JSON, which is valid YAML, so that no path or name can break it. */
export function cassandraYaml(settings: NodeSettings): string {
  const { dir, address, ports, seeds, snitch, asksForPassword, hints = true } = settings;
  return JSON.stringify(
    {
      cluster_name: 'Murmuration',
      partitioner: 'org.apache.cassandra.dht.Murmur3Partitioner',
      endpoint_snitch: snitch ?? 'SimpleSnitch',
      num_tokens: 16,

      authenticator: asksForPassword ? 'PasswordAuthenticator' : 'AllowAllAuthenticator',
      // A new password holds at once.
      credentials_validity: '0ms',

      listen_address: address,
      rpc_address: address,
      storage_port: ports.storage,
      native_transport_port: ports.native,
      seed_provider: [
        {
          class_name: 'org.apache.cassandra.locator.SimpleSeedProvider',
          parameters: [{ seeds: seeds.join(',') }],
        },
      ],

      data_file_directories: [join(dir, 'data')],
      commitlog_directory: join(dir, 'commitlog'),
      saved_caches_directory: join(dir, 'saved_caches'),
      hints_directory: join(dir, 'hints'),
      hinted_handoff_enabled: hints,

      // A write is answered only when it is safe in the commit log. `periodic` would be faster, but `kill -9` would lose up
      // to 100 ms of answered writes: the bytes are in the file, but a replay stops at the last marker that the log's thread
      // has set (CASSANDRA-13987). Waiting writers share one sync, so many of them are allowed.
      commitlog_sync: 'batch',
      concurrent_writes: 128,
      // This bounds how much a start after `kill -9` must replay.
      commitlog_total_space: '512MiB',

      // By default, a node that cannot write its commit log answers no more, and goes on for ever. One that ends is started again.
      commit_failure_policy: 'die',

      // The chunks that were decompressed recently are kept, in a quarter of the size of the heap. See docs/decisions.md.
      file_cache_enabled: true,

      memtable: {
        configurations: { trie: { class_name: 'TrieMemtable' }, default: { inherits: 'trie' } },
      },
      memtable_allocation_type: 'offheap_objects',
      sstable: { selected_format: 'bti' },
      storage_compatibility_mode: 'NONE',
      uuid_sstable_identifiers_enabled: true,
      // Dropped tables had scratch data only, and their snapshots would soon fill the disk.
      auto_snapshot: false,

      // A laptop may sleep, swap or compile meanwhile, and a slow answer is better than an error.
      read_request_timeout: '10s',
      range_request_timeout: '20s',
      write_request_timeout: '10s',
      counter_write_request_timeout: '10s',
      cas_contention_timeout: '5s',
      truncate_request_timeout: '60s',
      request_timeout: '20s',

      // Features that the tables here must never need.
      materialized_views_enabled: false,
      sasi_indexes_enabled: false,
      secondary_indexes_enabled: false,
      transient_replication_enabled: false,
      user_defined_functions_enabled: false,
    },
    null,
    2,
  );
}

/** `logback.xml`: one log file, rolled at 10 MB, three kept. */
export function logbackXml(dir: string): string {
  const file = nodeFiles(dir).systemLog.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<configuration>
  <appender name="FILE" class="ch.qos.logback.core.rolling.RollingFileAppender">
    <file>${file}</file>
    <rollingPolicy class="ch.qos.logback.core.rolling.FixedWindowRollingPolicy">
      <fileNamePattern>${file}.%i</fileNamePattern>
      <minIndex>1</minIndex>
      <maxIndex>3</maxIndex>
    </rollingPolicy>
    <triggeringPolicy class="ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy">
      <maxFileSize>10MB</maxFileSize>
    </triggeringPolicy>
    <encoder><pattern>%-5level [%thread] %date{ISO8601} %F:%L - %msg%n</pattern></encoder>
  </appender>
  <root level="INFO"><appender-ref ref="FILE"/></root>
</configuration>
`;
}
