import { errors, policies, type ClientOptions, type types } from 'cassandra-driver';
import type { Consistency, SerialConsistency } from './consistency';
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { checkIdentity } from '../base/server-identity';
import { withoutBrackets } from '../config/address';
import type { StatementCounts } from './statement-counts';

/** The addresses of a cluster, and how to connect to it. */
export interface DatabaseOptions {
  /** Some nodes of the cluster, each as `host:port`; the driver discovers the others. */
  readonly contactPoints: readonly string[];
  readonly localDatacenter: string;
  readonly keyspace?: string;
  readonly credentials?: { readonly username: string; readonly password: string };
  /** TLS is used if this is given. */
  readonly tls?: TlsSettings;
  readonly readConsistency: Consistency;
  readonly writeConsistency: Consistency;
  /** `LOCAL_SERIAL` by default. */
  readonly serialConsistency?: SerialConsistency;
  /** Is told what is wrong with the clocks of this machine and of the nodes. */
  readonly warn?: (line: string) => void;
}

/** The time until which a read may be retried. */
export interface ReadLimit {
  /** No attempt begins after this time, on the clock of `performance.now()`. It may change to an earlier time during a read. */
  readonly until: number;
}

/** The options of the driver. */
export function clientOptions(options: DatabaseOptions): ClientOptions {
  return {
    contactPoints: [...options.contactPoints],
    // Nodes announce each other without ports, so the driver uses this port for the nodes that it discovers.
    protocolOptions: {
      port: portOf(options.contactPoints[0] ?? ''),
      // The driver would wait after each change, as gossip tells, which takes a second or more, and for nodes that are down as well.
      maxSchemaAgreementWaitSeconds: 0,
    },
    localDataCenter: options.localDatacenter,
    ...(options.keyspace !== undefined && { keyspace: options.keyspace }),
    ...(options.credentials && { credentials: options.credentials }),
    ...(options.tls && { sslOptions: tlsOptions(options.tls, options.contactPoints) }),
    encoding: { useBigIntAsLong: true },
    queryOptions: { isIdempotent: true },
    socketOptions: { connectTimeout: 5000, readTimeout: MAX_TRY_MS },
    policies: {
      retry: new RetryElsewhere(),
      reconnection: new policies.reconnection.ConstantReconnectionPolicy(1000),
    },
  };
}

/** The port of a contact point that names none. */
const DEFAULT_PORT = 9042;

/** The port of a contact point. An IPv6 address without one may end like a port. */
function portOf(contactPoint: string): number {
  const port = isIP(contactPoint) === 0 ? /:(\d+)$/.exec(contactPoint)?.[1] : undefined;
  return Number(port ?? DEFAULT_PORT);
}

/** Retries a failed request at the next node, up to four times. This is safe because every statement is idempotent. */
export class RetryElsewhere extends policies.retry.RetryPolicy {
  /** Whether an attempt that was made again may have been done: then its own effect may keep the next one from being applied. */
  mayBeDone = false;
  constructor(
    private readonly limit?: ReadLimit,
    private readonly counts?: StatementCounts,
  ) {
    super();
  }
  override onReadTimeout(info: policies.retry.OperationInfo): policies.retry.DecisionInfo {
    return this.afterTimeout(info);
  }
  override onWriteTimeout(info: policies.retry.OperationInfo): policies.retry.DecisionInfo {
    return this.afterTimeout(info);
  }
  override onUnavailable(info: policies.retry.OperationInfo): policies.retry.DecisionInfo {
    return this.again(info);
  }
  override onRequestError(
    info: policies.retry.OperationInfo,
    _consistency: types.consistencies,
    error: Error,
  ): policies.retry.DecisionInfo {
    this.mayBeDone = true;
    return error instanceof errors.OperationTimedOutError ? this.afterTimeout(info) : this.again(info);
  }
  private afterTimeout(info: policies.retry.OperationInfo): policies.retry.DecisionInfo {
    this.mayBeDone = true;
    if (this.counts) this.counts.timeouts += 1;
    return this.again(info);
  }
  private again(info: policies.retry.OperationInfo): policies.retry.DecisionInfo {
    if (info.nbRetry >= 4 || isPastLimit(this.limit)) return this.rethrowResult();
    if (this.counts) this.counts.retries += 1;
    return this.retryResult(info.executionOptions.getConsistency(), false);
  }
}

/** How long one node may take to answer. */
const MAX_TRY_MS = 10_000;
/** Every attempt gets at least this long, because the driver closes connections on which many requests time out. */
const MIN_TRY_MS = 1000;
/** Timeouts are multiples of this: timers are kept in a list for each duration, so few durations are cheaper. */
const TRY_STEP_MS = 500;

/** The timeout of an attempt in milliseconds: half of the time that is left, so that another node can be asked if the first hangs. */
export function tryTime({ until }: ReadLimit): number {
  const half = (until - performance.now()) / 2;
  const steps = Math.floor(half / TRY_STEP_MS) * TRY_STEP_MS;
  return Math.max(MIN_TRY_MS, Math.min(MAX_TRY_MS, steps));
}

export function isPastLimit(limit: ReadLimit | undefined, milliseconds = 0): boolean {
  return limit !== undefined && performance.now() + milliseconds >= limit.until;
}

/** The settings by which the nodes of a cluster are recognised. */
interface TlsSettings {
  /** The certificate authority, in PEM format. Only certificates that it has signed are accepted. */
  readonly ca: string;
  /** The certificate and the key by which the nodes recognise the server, in PEM format. */
  readonly identity?: { readonly cert: string; readonly key: string };
  /** Names that a node's certificate may have, besides the address of the node and the names of the contact points. */
  readonly serverNames: readonly string[];
}

/**
 * The TLS options of a connection that is only made to the intended nodes. The driver connects to addresses, also for contact points with
 * names, and knows the other nodes by their addresses only. So a certificate must have the address of the node, or one of the names by
 * which the settings know the cluster. Nothing is sent to a node before its certificate is checked.
 */
function tlsOptions(
  { ca, identity, serverNames }: TlsSettings,
  contactPoints: readonly string[],
): ConnectionOptions {
  const names = [
    ...new Set([...contactPoints.map(hostName).filter((host) => isIP(host) === 0), ...serverNames]),
  ];
  return {
    ca: [ca],
    ...identity,
    // The driver's own default accepts every certificate.
    rejectUnauthorized: true,
    checkServerIdentity: (address, certificate) =>
      checkIdentity([address, ...names], certificate, 'CASSANDRA_TLS_SERVER_NAMES'),
  };
}

/** The host of a contact point, which is `host:port`, without the brackets of IPv6. */
function hostName(contactPoint: string): string {
  return isIP(contactPoint) !== 0 ? contactPoint : withoutBrackets(contactPoint.replace(/:\d+$/, ''));
}
