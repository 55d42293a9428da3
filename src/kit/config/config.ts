import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP, isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { readAdmission, admissionSettings } from './admission-settings';
import { isLoopbackHost, withoutBrackets } from './address';
import { readTracing, tracingSettings } from './tracing-settings';
import { integerSetting } from '../base/integer-setting';
import { countAffordedProcesses } from './afforded-processes';

export { integerSetting } from '../base/integer-setting';

const consistency = z.enum(['ONE', 'LOCAL_ONE', 'QUORUM', 'LOCAL_QUORUM', 'EACH_QUORUM', 'ALL']);
const list = z.string().transform((text) => text.split(',').map((item) => item.trim()));
const count = (byDefault: number) => integerSetting(1).default(byDefault);

/** The most seconds for which a server may keep what it has read. Rows of recent writers last that long, and longer. */
export const MAX_CACHE_SECONDS = 5;

/**
 * How many bytes a request may really read, while `LIMIT_BYTES` bounds what it could read of the greatest rows: eight times what an
 * answer has by default.
 */
const MAX_READ_BYTES = 33_554_432;

/** A name or an IPv4 address, or an IPv6 address in brackets, and perhaps a port. */
const CONTACT_POINT = /^(?:(?<host>[^\s:[\]]+)|\[(?<address>[^\s[\]]+)\])(?::(?<port>\d{1,5}))?$/;

/** The most server processes of a machine. */
const MAX_PROCESSES = 256;

/** Longer than load balancers take to notice that a server is not ready. */
const MAX_DRAIN_SECONDS = 300;

/** The settings that every server has. */
export const serverSettings = z.object({
  PORT: integerSetting(0, 65_535).default(4000),
  HOST: z.string().transform(withoutBrackets).pipe(z.string().min(1)).default('127.0.0.1'),
  WORKERS: z
    .string()
    .refine(
      (text) => text === 'auto' || (/^[1-9]\d*$/.test(text) && Number(text) <= MAX_PROCESSES),
      `must be auto or a whole number from 1 to ${MAX_PROCESSES}`,
    )
    .transform((text) => (text === 'auto' ? countAffordedProcesses() : Number(text)))
    .default(1),
  DRAIN_SECONDS: integerSetting(0, MAX_DRAIN_SECONDS).default(0),
  DATA_DIR: z.string().min(1).default('data'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  LOG_CALLER_SECRET: z.string().optional(),
  EXPLAIN: z
    .union([z.literal('everybody'), z.stringbool()], { error: 'must be true, false or everybody' })
    .optional(),
  CORS_ORIGIN: list
    .refine(
      (origins) => origins.every(isOrigin),
      'must be origins such as https://example.org, comma separated',
    )
    .optional(),
  CASSANDRA_CONTACT_POINTS: list
    .refine(
      (points) => points.every(isContactPoint),
      'must be host or host:port, comma separated, with an IPv6 address before a port in brackets',
    )
    // The driver takes brackets only before a port.
    .transform((points) => points.map(withoutBrackets))
    .optional(),
  CASSANDRA_LOCAL_DATACENTER: z.string().min(1).default('datacenter1'),
  CASSANDRA_KEYSPACE: z
    .string()
    // Cassandra folds capitals of a name without quotes, so the keyspace that is created would have another name than the one that is used.
    .regex(
      /^[a-z][a-z\d_]{0,47}$/,
      'must be 1 to 48 lower-case letters, digits and underscores, beginning with a letter',
    )
    .default('murmuration'),
  CASSANDRA_USERNAME: z.string().min(1).optional(),
  CASSANDRA_PASSWORD: z.string().optional(),
  CASSANDRA_TLS_CA: z.string().min(1).optional(),
  CASSANDRA_TLS_CERT: z.string().min(1).optional(),
  CASSANDRA_TLS_KEY: z.string().min(1).optional(),
  CASSANDRA_TLS_SERVER_NAMES: list
    .refine((names) => names.every(isHostName), 'must be names of hosts, comma separated')
    .optional(),
  CASSANDRA_REPLICATION_FACTOR: integerSetting(1, 10).optional(),
  CASSANDRA_READ_CONSISTENCY: consistency.optional(),
  CASSANDRA_WRITE_CONSISTENCY: consistency.optional(),
  CASSANDRA_SERIAL_CONSISTENCY: z.enum(['LOCAL_SERIAL', 'SERIAL']).default('LOCAL_SERIAL'),
  LIMIT_BODY_BYTES: count(1_048_576),
  LIMIT_TOKENS: count(10_000),
  LIMIT_DEPTH: count(12),
  LIMIT_ALIASES: count(100),
  LIMIT_READS: count(10_000),
  LIMIT_ROWS: count(500_000),
  LIMIT_BYTES: count(268_435_456),
  LIMIT_NODES: count(50_000),
  LIMIT_VALUES: count(100_000),
  LIMIT_NODE_IDS: count(100),
  LIMIT_MILLISECONDS: integerSetting(1, 3_600_000).default(10_000),
  LIMIT_ANSWER_BYTES: count(4_194_304),
  CACHE_SECONDS: integerSetting(0, MAX_CACHE_SECONDS).default(2),
  SEAL_AFTER_SECONDS: integerSetting(0).default(3600),
  READS_IN_FLIGHT: count(512),
  READS_IN_FLIGHT_PER_REQUEST: count(128),
  BYTES_IN_FLIGHT: count(134_217_728),
  BYTES_IN_FLIGHT_PER_REQUEST: count(8_388_608),
  SUBSCRIPTIONS_AT_ONCE: count(20_000),
  SUBSCRIPTION_READ_SECONDS: integerSetting(1, 60).default(5),
  SUBSCRIPTION_SEND_SECONDS: integerSetting(1, 3600).default(30),
  TRUSTED_DOCUMENTS: z.string().min(1).optional(),
  TRUSTED_ONLY: z.stringbool().default(false),
  ...admissionSettings,
  ...tracingSettings.shape,
});

/** A server's settings, checked. */
export type ServerConfig = ReturnType<typeof serverConfigOf>;

/** A setting that cannot be used; the message names the variable. */
export class ConfigError extends Error {}

/** Reads settings from an environment; a blank variable counts as not set. Throws `ConfigError` for the first value that is not allowed. */
export function readSettings<S extends z.ZodType>(settings: S, environment: NodeJS.ProcessEnv): z.infer<S> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim() !== ''));
  const read = settings.safeParse(given);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  const name = String(issue?.path[0]);
  const value = /PASSWORD|SECRET|NATS_URL/.test(name)
    ? 'a value not shown'
    : JSON.stringify(environment[name]);
  throw new ConfigError(`${name} is not usable: ${issue?.message ?? ''}, but got: ${value}`);
}

/** Builds a server's configuration from its settings. Throws `ConfigError` if they contradict each other. */
export function serverConfigOf(s: z.infer<typeof serverSettings>) {
  const embedded = s.CASSANDRA_CONTACT_POINTS === undefined;
  if ((s.CASSANDRA_USERNAME === undefined) !== (s.CASSANDRA_PASSWORD === undefined)) {
    throw new ConfigError(
      'CASSANDRA_USERNAME and CASSANDRA_PASSWORD must be set together, but only one is set.',
    );
  }
  const [ofCluster] = (['CASSANDRA_USERNAME', 'CASSANDRA_TLS_CA'] as const).filter(
    (name) => s[name] !== undefined,
  );
  if (embedded && ofCluster !== undefined)
    throw new ConfigError(`${ofCluster} needs CASSANDRA_CONTACT_POINTS, but that is not set.`);
  if (s.TRUSTED_ONLY && s.TRUSTED_DOCUMENTS === undefined) {
    throw new ConfigError('TRUSTED_ONLY needs TRUSTED_DOCUMENTS, but that is not set.');
  }
  const admission = readAdmission(s);
  if (admission.operationsPort === s.PORT && s.PORT !== 0) {
    throw new ConfigError(`OPERATIONS_PORT must differ from PORT, but both are ${s.PORT}.`);
  }
  return {
    ...admission,
    // GraphiQL sends queries that are not trusted. Only services may, but a browser loads the page without a token.
    graphiql: admission.graphiql && !s.TRUSTED_ONLY,
    port: s.PORT,
    host: s.HOST,
    /** How many server processes share the port. */
    workers: s.WORKERS,
    /** How many seconds a server that gets SIGTERM serves on, while it says that it is not ready. */
    drainSeconds: s.DRAIN_SECONDS,
    dataDir: resolve(s.DATA_DIR),
    logLevel: s.LOG_LEVEL,
    /** The destination of traces; null if there are none. */
    tracing: readTracing(s),
    /** The secret of the hashes of callers in the log; null for a secret of this run. */
    logCallerSecret: s.LOG_CALLER_SECRET ?? null,
    explain: explainTo(s.EXPLAIN, embedded && isLoopbackHost(s.HOST)),
    corsOrigins: s.CORS_ORIGIN ?? null,
    cassandra: readCassandraConfig(s, embedded),
    limits: readLimits(s),
    /** How many seconds the server keeps some of what it has read; 0 keeps nothing. */
    cacheSeconds: s.CACHE_SECONDS,
    /** How old the oldest entry of an index becomes before entries are moved into segments. */
    sealAfterSeconds: s.SEAL_AFTER_SECONDS,
    reads: {
      maxInFlight: s.READS_IN_FLIGHT,
      maxPerRequest: s.READS_IN_FLIGHT_PER_REQUEST,
      maxBytesInFlight: s.BYTES_IN_FLIGHT,
      maxBytesPerRequest: s.BYTES_IN_FLIGHT_PER_REQUEST,
    },
    live: {
      /** Subscriptions that are open on a server at the same time. */
      subscriptionsAtOnce: s.SUBSCRIPTIONS_AT_ONCE,
      /** About how many seconds pass between two reads of a subscription that gets no signal. */
      readSeconds: s.SUBSCRIPTION_READ_SECONDS,
      /** Seconds in which a client must read an event. */
      sendSeconds: s.SUBSCRIPTION_SEND_SECONDS,
    },
    trusted: {
      /** The file or folder of the documents that clients name by id; null if there are none. */
      path: s.TRUSTED_DOCUMENTS === undefined ? null : resolve(s.TRUSTED_DOCUMENTS),
      /** Whether only these documents are answered. */
      only: s.TRUSTED_ONLY,
    },
  };
}

function readLimits(s: z.infer<typeof serverSettings>) {
  return {
    bodyBytes: s.LIMIT_BODY_BYTES,
    tokens: s.LIMIT_TOKENS,
    depth: s.LIMIT_DEPTH,
    aliases: s.LIMIT_ALIASES,
    reads: s.LIMIT_READS,
    rows: s.LIMIT_ROWS,
    bytes: s.LIMIT_BYTES,
    readBytes: Math.min(s.LIMIT_BYTES, MAX_READ_BYTES),
    nodesAtWorst: s.LIMIT_NODES,
    values: s.LIMIT_VALUES,
    nodes: s.LIMIT_NODE_IDS,
    milliseconds: s.LIMIT_MILLISECONDS,
    answerBytes: s.LIMIT_ANSWER_BYTES,
  };
}

function readCassandraConfig(s: z.infer<typeof serverSettings>, embedded: boolean) {
  return {
    /** Null for an embedded node. */
    contactPoints: s.CASSANDRA_CONTACT_POINTS ?? null,
    localDatacenter: s.CASSANDRA_LOCAL_DATACENTER,
    keyspace: s.CASSANDRA_KEYSPACE,
    credentials:
      s.CASSANDRA_USERNAME !== undefined && s.CASSANDRA_PASSWORD !== undefined
        ? { username: s.CASSANDRA_USERNAME, password: s.CASSANDRA_PASSWORD }
        : null,
    tls: readTlsSettings(s),
    replicationFactor: s.CASSANDRA_REPLICATION_FACTOR ?? (embedded ? 1 : 3),
    readConsistency: s.CASSANDRA_READ_CONSISTENCY ?? (embedded ? 'LOCAL_ONE' : 'LOCAL_QUORUM'),
    writeConsistency: s.CASSANDRA_WRITE_CONSISTENCY ?? (embedded ? 'LOCAL_ONE' : 'LOCAL_QUORUM'),
    serialConsistency: s.CASSANDRA_SERIAL_CONSISTENCY,
  };
}

/**
 * Reads who may see the reads of a query. If the setting is absent, everybody may on a developer's own machine, so that newcomers see them.
 */
function explainTo(
  setting: boolean | 'everybody' | undefined,
  isOwnMachine: boolean,
): 'nobody' | 'services' | 'everybody' {
  if (setting === undefined) return isOwnMachine ? 'everybody' : 'nobody';
  if (typeof setting === 'string') return setting;
  return setting ? 'services' : 'nobody';
}

function isContactPoint(point: string): boolean {
  if (isIP(point) !== 0) return true;
  const { host = '', address, port } = CONTACT_POINT.exec(point)?.groups ?? {};
  const isPort = port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
  return isPort && (host !== '' || isIPv6(address ?? ''));
}

/** Whether a text is an origin as browsers send it: scheme, host and port, without a path or a final slash. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

function isHostName(text: string): boolean {
  return /^[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?$/i.test(text);
}

/** Reads how the nodes of the cluster are recognised; null without TLS. */
function readTlsSettings(s: z.infer<typeof serverSettings>) {
  const serverNames = s.CASSANDRA_TLS_SERVER_NAMES ?? [];
  const identity = readIdentity(s);
  if (s.CASSANDRA_TLS_CA !== undefined)
    return {
      ca: readPem('CASSANDRA_TLS_CA', s.CASSANDRA_TLS_CA, 'certificate'),
      ...(identity && { identity }),
      serverNames,
    };
  const dependent = identity
    ? 'CASSANDRA_TLS_CERT'
    : serverNames.length > 0
      ? 'CASSANDRA_TLS_SERVER_NAMES'
      : null;
  if (dependent !== null) throw new ConfigError(`${dependent} needs CASSANDRA_TLS_CA, but that is not set.`);
  return null;
}

/** The certificate by which the nodes recognise the server, and its key; null if there is none. */
function readIdentity({ CASSANDRA_TLS_CERT, CASSANDRA_TLS_KEY }: z.infer<typeof serverSettings>) {
  if (CASSANDRA_TLS_CERT === undefined && CASSANDRA_TLS_KEY === undefined) return null;
  if (CASSANDRA_TLS_CERT === undefined || CASSANDRA_TLS_KEY === undefined)
    throw new ConfigError(
      'CASSANDRA_TLS_CERT and CASSANDRA_TLS_KEY must be set together, but only one is set.',
    );
  const cert = readPem('CASSANDRA_TLS_CERT', CASSANDRA_TLS_CERT, 'certificate');
  const key = readPem('CASSANDRA_TLS_KEY', CASSANDRA_TLS_KEY, 'private key');
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
    throw new ConfigError(
      `CASSANDRA_TLS_KEY must be the key of CASSANDRA_TLS_CERT, but got: ${JSON.stringify(CASSANDRA_TLS_KEY)}`,
    );
  return { cert, key };
}

/** Reads a file of certificates or a key. One without any would only show as nodes that are all refused. */
function readPem(name: string, path: string, what: 'certificate' | 'private key'): string {
  try {
    const text = readFileSync(path, 'utf8');
    if (what === 'certificate') new X509Certificate(text);
    else createPrivateKey(text);
    return text;
  } catch (cause) {
    throw new ConfigError(
      `${name} must name a readable PEM file with a ${what}, but got: ${JSON.stringify(path)}`,
      {
        cause,
      },
    );
  }
}
