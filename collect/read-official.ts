import { setTimeout as pause } from 'node:timers/promises'
import { hostKey } from '../contract/claims.ts'
import { day, hour } from '../contract/durations.ts'
import { floorTo } from '../contract/ladder.ts'
import type { SourceState } from '../contract/sources.ts'
import type { Clock } from '../platform/clock.ts'
import { hasPrivateHost } from '../platform/security/private-network.ts'
import type { Vault } from '../platform/security/vault.ts'
import { locks, type Session, withAdvisoryLock } from '../platform/stores/postgres.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { UsageError } from '../platform/usage-error.ts'
import { HostApiError, type HostApiOptions } from './host-call.ts'
import {
  type OfficialAnswer,
  type OfficialRange,
  officialStep,
  readOfficial,
  verifications,
} from './official.ts'

export const officialKeyPurpose = 'key of an official server'

export interface OfficialSite extends Stores {
  vault: Vault
  clock: Clock
  /** The markets of all sources except the first. */
  markets?: readonly (Stores & { name: string })[] | undefined
}

export interface OfficialOptions {
  stopping?: AbortSignal | undefined
  /** Milliseconds between two requests. Default: 3 seconds, the least interval that a marketplace allows. */
  pauseMs?: number
  /** The most requests. The rest of the past is read the next time. Default: no limit. */
  most?: number
  onPart?: (part: OfficialRange & { rows: number }) => void
  onWait?: (message: string) => void
}

/** Parts and rows that were read. */
export interface OfficialReading {
  parts: number
  rows: number
  leftOut: Record<string, string>
}

interface Server {
  id: number
  source: string
  url: string
  key_sealed: Buffer
  first_time: number
}

/** A part of the past that is read with one request: 88 GPU names have 21,000 rows. */
const partSeconds = 10 * day
const longestPast = 730 * day
const usualPauseMs = 3000
/** Seconds in which another process does not read the same server. */
const longestTurn = 1800
const timeoutMs = 120_000
/** Seconds by which both clocks may differ. */
const largestSkew = 600
/** Status 429 is waited for so often in a row, each time as long as the server requests, or a minute, two and so on. */
const mostWaits = 5
const longestWaitMs = 300_000

/** Stores the server whose aggregates are read for the market of a source. Throws UsageError. */
export async function keepOfficialServer(
  { postgres, vault, clock }: Pick<OfficialSite, 'postgres' | 'vault' | 'clock'>,
  { source, url, key, from }: { source: string; url: string; key: string; from?: number | undefined },
): Promise<void> {
  if (!/^https?:/.test(url) || !URL.canParse(url))
    throw new UsageError('--from must be a URL such as https://api.example.com')
  if (!url.startsWith('https:') && !hasPrivateHost(url))
    throw new UsageError('--from is not https, so the key would be readable on its way.')
  if (!hostKey.safeParse(key).success)
    throw new UsageError('The key must be 8 to 512 letters, digits and signs.')
  const first = from ?? clock.now() - longestPast
  const sealed = vault.seal(key, officialKeyPurpose)
  await postgres.query('official/keep', [source, url, sealed, Math.max(0, Math.floor(first))])
}

/**
 * Reads what is due of official servers: the newest hours, then the past that is not read yet. `source`: only its server, at once. Only one process reads at a
 * time. A failure is recorded with the server, and thrown where `source` is given.
 */
export const readOfficialServers = (
  site: OfficialSite,
  { source, ...options }: OfficialOptions & { source?: string } = {},
): Promise<OfficialReading> =>
  withAdvisoryLock(
    site.postgres,
    locks.official,
    async () => {
      const { rows } = await site.postgres.query<Server>('official/due', [longestTurn, source ?? null])
      const sum: OfficialReading = { parts: 0, rows: 0, leftOut: {} }
      for (const server of rows) {
        if (options.stopping?.aborted) break
        try {
          const isDone = await readServer(site, server, { ...options, sum })
          await site.postgres.query('official/read', [server.id, isDone ? hour : 0])
        } catch (error) {
          if (options.stopping?.aborted || !(error instanceof HostApiError)) throw error
          await site.postgres.query('official/fail', [server.id, error.message, error.retryAt ?? 0])
          if (source !== undefined) throw error
        }
      }
      return sum
    },
    options.stopping,
  )

/** True: nothing of the past is left to read. */
async function readServer(
  site: OfficialSite,
  { source, url, key_sealed, first_time }: Server,
  { sum, ...options }: OfficialOptions & { sum: OfficialReading },
): Promise<boolean> {
  const { clock, vault, markets = [] } = site
  const market = markets.find(({ name }) => name === source) ?? site
  const key = vault.open(key_sealed, officialKeyPurpose)
  const userAgent = 'rackrate'
  const call = { url, key, userAgent, clock, timeoutMs, largestSkew, stop: options.stopping }
  const end = floorTo(officialStep, clock.now())
  const parts = await partsOf(market.postgres)
  for (let start = floorTo(partSeconds, end - 1); start + partSeconds > first_time; start -= partSeconds) {
    let rowsOfAll = 0
    for (const verified of verifications) {
      // A part without a GPU is the beginning of the server's past.
      if (verified !== 'all' && rowsOfAll === 0) return true
      const known = parts.get(`${verified} ${start}`)
      const range = { verified, from: known?.read_to ?? start, to: Math.min(start + partSeconds, end) }
      if (verified === 'all') rowsOfAll = known?.rows ?? 0
      if (range.from >= range.to) continue
      if (sum.parts >= (options.most ?? Number.POSITIVE_INFINITY)) return false
      if (sum.parts > 0) await pause(options.pauseMs ?? usualPauseMs, undefined, { signal: options.stopping })
      const read = await readPatiently(range, call, options)
      await take(market, clock.now(), { ...range, start, ...read })
      options.onPart?.({ ...range, rows: read.rows.length })
      sum.parts += 1
      sum.rows += read.rows.length
      Object.assign(sum.leftOut, read.leftOut)
      if (verified === 'all') rowsOfAll += read.rows.length
    }
  }
  return true
}

async function partsOf(postgres: Session) {
  const { rows } = await postgres.query<{ verified: string; start: number; read_to: number; rows: number }>(
    'official/parts',
  )
  return new Map(rows.map((part) => [`${part.verified} ${part.start}`, part]))
}

async function readPatiently(
  range: OfficialRange,
  call: HostApiOptions,
  { onWait, pauseMs = usualPauseMs, stopping }: OfficialOptions,
): Promise<OfficialAnswer> {
  for (let waits = 0; ; waits += 1)
    try {
      return await readOfficial(range, call)
    } catch (error) {
      if (!(error instanceof HostApiError) || error.failure !== 'busy' || waits === mostWaits) throw error
      const usual = 20 * pauseMs * 2 ** waits
      const wait = error.retryAt === undefined ? usual : Math.max(0, error.retryAt - call.clock.now()) * 1000
      if (wait > longestWaitMs) throw error
      onWait?.(`${error.message} The next request is in ${Math.round(wait / 1000)} seconds.`)
      await pause(wait, undefined, { signal: stopping })
    }
}

/** Writes the rows, then records the part: a part that is read again replaces its rows. */
async function take(
  { postgres, clickhouse }: Stores,
  now: number,
  { verified, start, to, rows, leftOut }: OfficialRange & OfficialAnswer & { start: number },
): Promise<void> {
  const read_at = Math.floor(now)
  if (rows.length > 0)
    await clickhouse.insert({
      table: 'official',
      values: rows.map((row) => ({ ...row, read_at })),
      format: 'JSONEachRow',
    })
  if (verified === 'all') {
    const newest = new Map(rows.map((row) => [row.gpu_name, row]))
    const counts = [...newest.values()].map(({ gpu_name, bucket: at, total_gpus: gpus }) => ({
      gpu_name,
      at,
      gpus,
    }))
    await postgres.query('official/counts', [JSON.stringify(counts)])
  }
  await postgres.query('official/note_part', [verified, start, to, rows.length, JSON.stringify(leftOut)])
}

export type OfficialState = NonNullable<SourceState['official']>

/** The state of reading the official server of a source; undefined: the source has none. `source`: undefined for the first one. */
export async function officialState(
  site: Session,
  market: Session,
  source: string | undefined,
): Promise<OfficialState | undefined> {
  const server = (
    await site.query<Pick<OfficialState, 'url' | 'read_at' | 'failures' | 'problem'>>('official/server', [
      source ?? null,
    ])
  ).rows[0]
  const range = (await market.query<Pick<OfficialState, 'first' | 'last'>>('official/range')).rows[0]
  if (!range || (!server && range.first === null)) return undefined
  const { rows } = await market.query<{ gpu_name: string; reason: string }>('official/left_out')
  const left_out = Object.fromEntries(rows.map(({ gpu_name, reason }) => [gpu_name, reason]))
  return { url: '', read_at: null, failures: 0, problem: null, ...server, ...range, left_out }
}
