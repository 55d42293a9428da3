import { z } from 'zod';
import { isLoopbackHost } from './kit/config/address';
import {
  ConfigError,
  readSettings,
  serverConfigOf,
  serverSettings,
  integerSetting,
} from './kit/config/config';

/** The greatest number of the column that counts uses of quotas. */
const MAX_INT = 2 ** 31 - 1;

const settings = z.object({
  ...serverSettings.shape,
  TIMELINE_RETENTION_MONTHS: integerSetting(1, 1200).optional(),
  FANOUT_PUSH_LIMIT: integerSetting(0).default(10_000),
  FANOUT_SHED_AFTER_SECONDS: integerSetting(0).default(60),
  NATS_URL: z
    .string()
    .transform((text) => text.split(',').map((address) => address.trim()))
    .refine((all) => all.every(isNatsAddress), 'must be nats:// or tls:// addresses, comma separated')
    .refine(
      (all) => new Set(all.map((address) => new URL(address).protocol)).size === 1,
      'must be all nats:// or all tls:// addresses, because a user and a password go to each',
    )
    .optional(),
  NATS_PREFIX: z
    .string()
    .regex(/^[\w-]{1,48}$/, 'must be letters, digits, - and _, at most 48')
    .optional(),
  QUOTA_POSTS_PER_HOUR: integerSetting(0, MAX_INT).default(1000),
  QUOTA_FOLLOWS_PER_HOUR: integerSetting(0, MAX_INT).default(1000),
  QUOTA_DELETIONS_PER_HOUR: integerSetting(0, MAX_INT).default(300),
  QUOTA_RENAMES_PER_DAY: integerSetting(0, MAX_INT).default(24),
  QUOTA_BYTES_PER_DAY: integerSetting(0, MAX_INT).default(64 * 1024 ** 2),
  ACCOUNT_DELETION_DAYS: integerSetting(0, 365).default(14),
  RANKINGS_EVERY_MINUTES: integerSetting(0).default(60),
  TRENDS_EVERY_SECONDS: integerSetting(0).default(60),
  JWT_SECRET: z.string().optional(),
  JWT_PREVIOUS_SECRET: z.string().optional(),
  JWT_JWKS_URL: z
    .string()
    .refine(isKeyAddress, 'must be an https address, or an http address of this machine')
    .optional(),
  JWT_ISSUER: z.string().optional(),
  JWT_AUDIENCE: z.string().optional(),
  JWT_ALLOW_NO_EXPIRY: z.stringbool({ error: 'must be true or false' }).default(false),
  JWT_SERVICE_SCOPE: z.string().regex(/^\S+$/, 'must be one word').default('service'),
});

/** The checked settings of the server. */
export type Config = ReturnType<typeof readConfig>;

/** Reads the settings from an environment. Throws `ConfigError` for the first value that is not allowed. */
export function readConfig(environment: NodeJS.ProcessEnv) {
  const s = readSettings(settings, environment);
  if (s.JWT_SECRET !== undefined && s.JWT_JWKS_URL !== undefined) {
    throw new ConfigError('Only one of JWT_SECRET and JWT_JWKS_URL can be set, but both are.');
  }
  if (s.JWT_PREVIOUS_SECRET !== undefined && s.JWT_SECRET === undefined) {
    throw new ConfigError('JWT_PREVIOUS_SECRET needs JWT_SECRET, but that is not set.');
  }
  return {
    ...serverConfigOf(s),
    jwt: {
      secret: s.JWT_SECRET ?? null,
      /** Checks tokens as well, while the secret is being replaced. */
      previousSecret: s.JWT_PREVIOUS_SECRET ?? null,
      jwksUrl: s.JWT_JWKS_URL ?? null,
      issuer: s.JWT_ISSUER ?? null,
      audience: s.JWT_AUDIENCE ?? null,
      allowNoExpiry: s.JWT_ALLOW_NO_EXPIRY,
      serviceScope: s.JWT_SERVICE_SCOPE,
    },
    timelineRetentionMonths: s.TIMELINE_RETENTION_MONTHS ?? null,
    fanoutPushLimit: s.FANOUT_PUSH_LIMIT,
    /** How long a fan-out may wait for its turn before authors with many followers are pulled; 0 never does that. */
    fanoutShedAfterSeconds: s.FANOUT_SHED_AFTER_SECONDS,
    /** The NATS servers through which servers share their tasks; null if they do so through the database only. */
    natsUrls: s.NATS_URL ?? null,
    /** The prefix of this deployment's names in NATS; null for the keyspace. */
    natsPrefix: s.NATS_PREFIX ?? null,
    /** The most that a user may write, on all servers together. */
    quotas: {
      posts: { limit: s.QUOTA_POSTS_PER_HOUR, seconds: 3600, setting: 'QUOTA_POSTS_PER_HOUR' },
      follows: { limit: s.QUOTA_FOLLOWS_PER_HOUR, seconds: 3600, setting: 'QUOTA_FOLLOWS_PER_HOUR' },
      deletions: { limit: s.QUOTA_DELETIONS_PER_HOUR, seconds: 3600, setting: 'QUOTA_DELETIONS_PER_HOUR' },
      renames: { limit: s.QUOTA_RENAMES_PER_DAY, seconds: 86_400, setting: 'QUOTA_RENAMES_PER_DAY' },
      bytes: { limit: s.QUOTA_BYTES_PER_DAY, seconds: 86_400, setting: 'QUOTA_BYTES_PER_DAY' },
    },
    /** How many days a deletion of an account waits, during which it can be cancelled. */
    accountDeletionDays: s.ACCOUNT_DELETION_DAYS,
    /** Minutes between two rankings; 0 takes none. */
    rankingsEveryMinutes: s.RANKINGS_EVERY_MINUTES,
    trendsEverySeconds: s.TRENDS_EVERY_SECONDS,
  };
}

/** Whether nobody on the way can replace what is fetched from an address. */
function isKeyAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}

function isNatsAddress(address: string): boolean {
  if (!/^(nats|tls):\/\/\S+$/.test(address) || !URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}
