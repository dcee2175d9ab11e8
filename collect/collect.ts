import { toError } from '../contract/failure.ts'
import type { Snapshot } from '../ingest/capture.ts'
import type { Clock } from '../platform/clock.ts'
import type { Postgres } from '../platform/stores/postgres.ts'
import { one } from '../platform/stores/rows.ts'
import type { CollectedMarket } from './market.ts'
import { keepToSource } from './site-source.ts'
import type { OwnMachines, Source, SourceAnswer, Validators } from './source.ts'
import { printable, SourceError } from './source-error.ts'
import { storedPictures } from './stored-picture.ts'
import { withinSeconds } from './time-limit.ts'
import { usualTurnover } from './turnover.ts'

export interface CollectOptions {
  /** Unix seconds. */
  slot: number
  /** Seconds between slots. */
  interval: number
  /** Requests the market in any case, and accepts one that is far smaller than before. */
  accept?: boolean
  stop?: AbortSignal | undefined
}

/** The result of a request for a slot. */
export interface Collected
  extends Snapshot,
    Partial<Pick<CollectedMarket, 'machines' | 'rejected' | 'reasons' | 'leftOut'>> {
  /** True if the source reported that nothing has changed. */
  unchanged: boolean
}

interface CollectorState {
  good_slot: number | null
  machines: number | null
  turnover: number | null
  validators: Validators | null
}

/** The most seconds for a request: an answer of 95 MB takes long. With a short interval the limit is lower. */
const longestRequest = 120
/** A sweep takes most of the time between two slots, and never longer. */
const longestSweep = 1800
const requestSeconds = ({ sweeps = false }: Source, interval: number) =>
  Math.min(sweeps ? longestSweep : longestRequest, interval - 10)

/**
 * Takes the snapshot of `slot` from a source: requests its market once and writes it to the spool, all of it or nothing. Returns
 * undefined if the source must not be requested: it was requested for this slot already, or asked for a later request. Throws
 * SourceError when the answer has no market. The slot is then a gap.
 */
export async function collect(
  { postgres, clock }: { postgres: Postgres; clock: Clock },
  source: Source,
  options: CollectOptions,
): Promise<Collected | undefined> {
  const { slot, interval, stop, accept = false } = options
  const seconds = requestSeconds(source, interval)
  const { rows } = await postgres.query<CollectorState>('collector/ask', [slot, source.name, seconds, accept])
  const [state] = rows
  if (!state) {
    // Throws if the site has another source by now.
    await keepToSource(postgres, source)
    return undefined
  }
  await postgres.query('series/note_rentals', ['market', source.hasRentals])
  const done = new AbortController()
  const ended = AbortSignal.any([done.signal, ...(stop ? [stop] : [])])
  try {
    return await withinSeconds(seconds, ended, async (signal) => {
      const answer = await source.fetchMarket({
        slot,
        interval,
        clock,
        ...(source.sweeps && (await sweepOptions(postgres))),
        validators: state.validators ?? undefined,
        signal,
      })
      return take(postgres, answer, state, options)
    })
  } catch (error) {
    if (stop?.aborted) {
      await postgres.query('collector/release', [slot])
      throw error
    }
    const problem = toError(error)
    await noteFailure(postgres, problem, options)
    throw problem
  } finally {
    // The rest of the answer is not needed.
    done.abort()
  }
}

const sweepOptions = async (postgres: Postgres) => ({
  pictures: storedPictures(postgres),
  own: one((await postgres.query<OwnMachines>('sweep/own')).rows),
})

async function take(
  postgres: Postgres,
  answer: SourceAnswer,
  state: CollectorState,
  { slot, interval, accept }: CollectOptions,
): Promise<Collected | undefined> {
  refuseOld(answer.unchanged ? state.validators : answer.validators, slot, interval)
  if (answer.unchanged) {
    const repeated = await postgres.query<Snapshot>('collector/repeat', [slot, state.good_slot])
    return repeated.rows[0] && { ...repeated.rows[0], unchanged: true }
  }
  const { lines, machines, rejected, reasons, leftOut } = refusePart(
    answer.market,
    accept ? null : state.machines,
  )
  const beside = { slot, lines, good_slot: state.good_slot, turnover: state.turnover }
  const turnover = await usualTurnover(postgres, beside, accept === true)
  const taken = await postgres.query<Snapshot>('collector/take', [
    slot,
    partsOf(lines),
    lines.length,
    machines,
    JSON.stringify(answer.validators),
    JSON.stringify({ reasons, rows: leftOut }),
  ])
  const [snapshot] = taken.rows
  if (snapshot) await postgres.query('collector/note_turnover', [slot, turnover])
  if (snapshot && answer.coverage)
    await postgres.query('sweep/write_coverage', [
      slot,
      JSON.stringify(answer.coverage),
      JSON.stringify(answer.market.gpus),
    ])
  return snapshot && { ...snapshot, unchanged: false, machines, rejected, reasons, leftOut }
}

/** Intervals that a market may be old, by the time that its source reports. */
const patience = 3

function refuseOld(validators: Validators | null, slot: number, interval: number): void {
  const age = slot - (validators?.as_of ?? slot)
  if (age > patience * interval)
    throw new SourceError(`Its market is ${age} seconds old: the source itself is not being updated.`)
}

/** The least share of the previous slot's machines that must be listed. Two missing machines are always accepted. */
const leastShare = 3 / 4
const fewMachines = 2
/** The largest share of unusable records. */
const mostRejected = 1 / 4

/** Refuses an incomplete list: half a list looks like a market that shrank, and a renamed field like machines without it. */
function refusePart(market: CollectedMarket, before: number | null): CollectedMarket {
  const { machines, records, rejected, reasons } = market
  const [reason = ''] = Object.entries(reasons).sort(([, a], [, b]) => b - a)[0] ?? []
  if (machines === 0) throw new SourceError(`It lists no usable machine${reason && `: ${reason}`}.`)
  if (rejected > records * mostRejected)
    throw new SourceError(`${rejected} of ${records} records are unusable, most of them because: ${reason}.`)
  if (before !== null && machines < before * leastShare && before - machines > fewMachines)
    throw new SourceError(
      `It lists ${machines} machines; the last good slot had ${before}. So short a list may be incomplete. If the market did shrink, run: rackrate collect --accept`,
    )
  return market
}

const linesPerPart = 20_000

function partsOf(lines: readonly string[]): string[] {
  const parts: string[] = []
  for (let from = 0; from < lines.length; from += linesPerPart)
    parts.push(lines.slice(from, from + linesPerPart).join('\n'))
  return parts
}

async function noteFailure(
  postgres: Postgres,
  error: Error,
  { slot, interval }: CollectOptions,
): Promise<void> {
  const retryAt = error instanceof SourceError ? (error.retryAt ?? 0) : 0
  await postgres.query('collector/fail', [slot, printable(error.message), retryAt, interval])
}
