import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { day, hour } from '../contract/durations.ts'
import { usualInterval } from '../contract/ladder.ts'
import { usualCallsPerMinute } from '../contract/sources.ts'
import { UsageError } from '../platform/usage-error.ts'
import { commandLine, sender } from './setting-values.ts'
import { findUnknown } from './unknown-settings.ts'

const url = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be a URL such as ${example}` })

// Cron can express only intervals that divide an hour or a day. Slots are multiples of the interval since the epoch.
const interval = z.coerce
  .number({ error: 'must be a number of seconds' })
  .int()
  .refine((s) => s >= 60 && (hour % s === 0 || (s % hour === 0 && day % s === 0)) && s % 60 === 0, {
    error:
      'must be at least 60 seconds, in whole minutes, and divide an hour or, in whole hours, a day (300, 900, 3600, …)',
  })

/** The part of an account's requests that one of its keys may send. */
const ofOneKey = (requests: number): number => Math.ceil(0.75 * requests)

const requests = z.coerce.number({ error: 'must be a number of requests' }).int().min(1)
const encryptionKey = z.string().regex(/^[0-9a-fA-F]{64}$/, 'must be 32 bytes in hex: openssl rand -hex 32')

const variables = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number({ error: 'must be a port number' }).int().min(0).max(65_535).default(8080),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(/^https?$/, 'http://collector:4318').optional(),
  WORKER_PORT: z.coerce.number({ error: 'must be a port number' }).int().min(1).max(65_535).optional(),
  RACKRATE_DATA_DIR: z.string().default('.rackrate'),
  DATABASE_URL: url(/^postgres(ql)?$/, 'postgres://user:password@host:5432/rackrate').optional(),
  CLICKHOUSE_URL: url(/^https?$/, 'http://host:8123').optional(),
  CLICKHOUSE_USER: z.string().default('default'),
  CLICKHOUSE_PASSWORD: z.string().default(''),
  CLICKHOUSE_DATABASE: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be a plain name')
    .default('rackrate'),
  CLICKHOUSE_CLUSTER: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, 'must be a plain name')
    .optional(),
  CLICKHOUSE_DISK_RESERVE: z
    .string()
    .regex(/^[1-9]\d{0,5}[MG]$/, 'must be a number of mebibytes or gibibytes: 500M, 1G')
    .transform((text) => Number.parseInt(text, 10) * (text.endsWith('G') ? 2 ** 30 : 2 ** 20))
    .optional(),
  CLICKHOUSE_SQL_USER: z.string().optional(),
  CLICKHOUSE_SQL_PASSWORD: z.string().default(''),
  REDIS_URL: url(/^rediss?$/, 'redis://host:6379').optional(),
  ENCRYPTION_KEY: encryptionKey.optional(),
  ENCRYPTION_KEY_PREVIOUS: encryptionKey.optional(),
  PUBLIC_URL: url(/^https?$/, 'https://api.example.com').optional(),
  SMTP_URL: url(/^smtps?$/, 'smtp://user:password@host:587').optional(),
  MAIL_FROM: sender.default('rackrate@localhost'),
  SMS_URL: url(/^https?$/, 'https://sms.example.com/send').optional(),
  SMS_TOKEN: z.string().optional(),
  WEBHOOK_PRIVATE_HOSTS: z
    .string()
    .transform((text) => text.split(',').map((host) => host.trim().toLowerCase()))
    .optional(),
  AUTOPILOT_COMMAND: commandLine.optional(),
  AGENT_KEY: z.string().optional(),
  RACKRATE_URL: url(/^https?$/, 'https://api.example.com').optional(),
  RACKRATE_KEY: z.string().optional(),
  CONTROLLER_URL: url(/^https?$/, 'https://controller.example.com/tasks').optional(),
  SNAPSHOT_INTERVAL: interval.default(usualInterval),
  SOURCES: z.string().optional(),
  SOURCE_MAP: z.string().optional(),
  SOURCE_CALLS_PER_MINUTE: z.coerce.number().int().min(1).max(60).default(usualCallsPerMinute),
  CATALOG: z.string().optional(),
  SOURCE_CONTACT: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be a mail or web address')
    .optional(),
  OBSERVATION_RETENTION: z
    .string()
    .regex(/^\d{2,5}d$/, 'must be a number of days: 400d')
    .transform((text) => Number.parseInt(text, 10))
    .refine((days) => days >= 30, 'must be at least 30d')
    .optional(),
  SPOOL_RETENTION: z
    .string()
    .regex(/^[1-9]\d{0,2}d$/, 'must be a number of days from 1d to 999d: 2d')
    .transform((text) => Number.parseInt(text, 10))
    .default(2),
  RATE_LIMIT: requests.default(6000),
  KEY_RATE_LIMIT: requests.optional(),
  ADDRESS_RATE_LIMIT: requests.default(1200),
  PARALLEL_REQUESTS: requests.default(32),
  KEY_PARALLEL_REQUESTS: requests.optional(),
  MARKET_DELAY: z.coerce
    .number({ error: 'must be a number of seconds' })
    .int()
    .min(0)
    .max(7200, 'must be at most 7200')
    .default(0),
  MARKET_METRICS: z.enum(['key', 'open']).default('key'),
  OPEN_DATA: z.enum(['public', 'host', 'off'], { error: 'must be public, host or off' }).default('host'),
  OPEN_DATA_DIR: z.string().optional(),
  OPEN_DATA_RETENTION: z
    .string()
    .regex(/^[1-9]\d{0,4}d$/, 'must be a number of days: 400d')
    .transform((text) => Number.parseInt(text, 10))
    .default(400),
  OPEN_DATA_LICENCE: z
    .string()
    .default('No licence is granted. Ask the operator of this service what you may do with these files.'),
  SHUTDOWN_TIMEOUT: z.coerce
    .number({ error: 'must be a number of seconds' })
    .int()
    .min(1)
    .max(600)
    .default(15),
  TRUST_PROXY: z
    .union(
      [
        z.stringbool().transform(Number),
        z
          .string()
          .regex(/^[1-9]$/)
          .transform(Number),
      ],
      {
        error: 'must be true, false or a number of proxies from 1 to 9',
      },
    )
    .default(0),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default(process.stderr.isTTY ? 'warn' : 'info'),
})

const environment = variables.refine((e) => !e.CLICKHOUSE_CLUSTER || e.CLICKHOUSE_URL, {
  path: ['CLICKHOUSE_CLUSTER'],
  error: 'needs CLICKHOUSE_URL, one server of the cluster',
})

export type Config = ReturnType<typeof readConfig>

/** The configuration from the environment. Empty variables count as absent. Throws UsageError, which lists every mistake on a line of its own. */
export function readConfig(
  env: NodeJS.ProcessEnv = process.env,
  warn: (text: string) => void = console.error,
) {
  const given = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value ? [[name, value] as const] : [])),
  )
  const { mistakes, warnings } = findUnknown(given, Object.keys(environment.shape))
  for (const sentence of warnings) warn(sentence)
  if (mistakes.length > 0) throw new UsageError(mistakes.join('\n'))
  const parsed = environment.safeParse({ ...given, ...secretsOf(given) })
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new UsageError(
      `The configuration has ${lines.length === 1 ? 'a mistake' : 'mistakes'}:\n${lines.join('\n')}`,
    )
  }
  const e = parsed.data
  return {
    host: e.HOST,
    port: e.PORT,
    workerPort: e.WORKER_PORT,
    tracesTo: e.OTEL_EXPORTER_OTLP_ENDPOINT,
    dataDir: resolve(e.RACKRATE_DATA_DIR),
    databaseUrl: e.DATABASE_URL,
    clickhouse: e.CLICKHOUSE_URL
      ? {
          url: e.CLICKHOUSE_URL,
          username: e.CLICKHOUSE_USER,
          password: e.CLICKHOUSE_PASSWORD,
          database: e.CLICKHOUSE_DATABASE,
          cluster: e.CLICKHOUSE_CLUSTER,
          analyst: e.CLICKHOUSE_SQL_USER
            ? { username: e.CLICKHOUSE_SQL_USER, password: e.CLICKHOUSE_SQL_PASSWORD }
            : undefined,
        }
      : undefined,
    diskReserveBytes: e.CLICKHOUSE_DISK_RESERVE,
    redisUrl: e.REDIS_URL,
    encryptionKey: e.ENCRYPTION_KEY,
    previousEncryptionKey: e.ENCRYPTION_KEY_PREVIOUS,
    publicUrl: e.PUBLIC_URL?.replace(/\/+$/, ''),
    smtp: e.SMTP_URL ? { url: e.SMTP_URL, from: e.MAIL_FROM } : undefined,
    sms: e.SMS_URL ? { url: e.SMS_URL, token: e.SMS_TOKEN } : undefined,
    controllerUrl: e.CONTROLLER_URL,
    webhookPrivateHosts: e.WEBHOOK_PRIVATE_HOSTS ?? [],
    autopilotCommand: e.AUTOPILOT_COMMAND,
    agentKey: e.AGENT_KEY,
    apiUrl: e.RACKRATE_URL?.replace(/\/+$/, ''),
    apiKey: e.RACKRATE_KEY,
    snapshotInterval: e.SNAPSHOT_INTERVAL,
    marketDelay: e.MARKET_DELAY,
    sources: e.SOURCES?.split('\n').filter((line) => line.trim() !== '') ?? [],
    sourceMap: e.SOURCE_MAP,
    sourceCallsPerMinute: e.SOURCE_CALLS_PER_MINUTE,
    catalog: e.CATALOG,
    // The URL in the form of a header: a host name in another script becomes punycode.
    sourceContact: e.SOURCE_CONTACT ?? (e.PUBLIC_URL && new URL(e.PUBLIC_URL).href),
    observationRetention: e.OBSERVATION_RETENTION,
    spoolRetention: e.SPOOL_RETENTION,
    openData:
      e.OPEN_DATA === 'off'
        ? undefined
        : {
            access: e.OPEN_DATA,
            folder: resolve(e.OPEN_DATA_DIR ?? join(e.RACKRATE_DATA_DIR, 'data')),
            days: e.OPEN_DATA_RETENTION,
            licence: e.OPEN_DATA_LICENCE,
          },
    rateLimit: e.RATE_LIMIT,
    keyRateLimit: e.KEY_RATE_LIMIT ?? ofOneKey(e.RATE_LIMIT),
    addressRateLimit: e.ADDRESS_RATE_LIMIT,
    parallelRequests: e.PARALLEL_REQUESTS,
    keyParallelRequests: e.KEY_PARALLEL_REQUESTS ?? ofOneKey(e.PARALLEL_REQUESTS),
    openMarketMetrics: e.MARKET_METRICS === 'open',
    shutdownTimeoutMs: e.SHUTDOWN_TIMEOUT * 1000,
    trustedProxies: e.TRUST_PROXY,
    logLevel: e.LOG_LEVEL,
    /** True to look for mistakes of programmers that would slow a site. */
    isDevelopment: given.NODE_ENV === 'development' || given.NODE_ENV === 'test',
  }
}

/** Settings from files: NAME_FILE is the path of a file with the value of NAME, as orchestrators mount secrets. */
function secretsOf(given: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.keys(environment.shape).flatMap((name) => {
      const file = given[`${name}_FILE`]
      if (!file) return []
      if (given[name]) throw new UsageError(`Set ${name} or ${name}_FILE, not both.`)
      try {
        return [[name, readFileSync(file, 'utf8').trim()]]
      } catch {
        throw new UsageError(`${name}_FILE: cannot read ${file}`)
      }
    }),
  )
}
