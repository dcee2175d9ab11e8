import { systemClock } from '../../../../cli/system-clock.ts'
import { importFiles } from '../../../../import/import-files.ts'
import type { Format } from '../../../../import/observation.ts'
import { capture, currentSlot } from '../../../../ingest/capture.ts'
import { check } from '../../../../ingest/check.ts'
import { loadAll } from '../../../../ingest/load.ts'
import { rebuildSeries } from '../../../../ingest/pending-rollups.ts'
import { reconcile } from '../../../../ingest/reconcile.ts'
import { rangeToCheck, rangeToRebuild } from '../../../../ingest/requested-range.ts'
import { takeSnapshot } from '../../../../ingest/take-snapshot.ts'
import { setRetention } from '../../../../platform/stores/retention.ts'
import type { Stores } from '../../../../platform/stores/stores.ts'
import { purge } from '../../../../workers/processors/purge.ts'
import { openClickHouseModel } from './clickhouse-model.ts'
import { openOracle } from './oracle.ts'
import { openPostgresModel } from './postgres-model.ts'
import { keyOfRow, type Row } from './series-model.ts'
import { calm, InjectedError, openWorld, type Process } from './world.ts'

/** The rows of files that imports read, by the name of the file. The test puts it in the place of the file system. */
export type Files = Map<string, Row[]>

const format: Format = {
  source: 'file',
  readWith: { source: 'file' },
  columns: [],
  overlapping: false,
  hasRentals: true,
  observe: (fields) => {
    const { slot, machine, gpu, gpus, rented, price } = fields as unknown as Row
    return { ...facts, slot, machine_id: machine, gpu_name: gpu, gpus, rented, price: String(price) }
  },
}
const facts = {
  num_gpus: 8,
  verified: true,
  hosting_type: 'unknown',
  tflops: null,
  dlperf: null,
  host_id: null,
  country: '',
  gpu_ram: null,
  rental_type: 'unknown',
  min_gpus: null,
  terms: '',
  specs: '',
  tier: 'verified',
} as const

const gpus = ['RTX 4090', 'H100', 'A100']
const intervals = [300, 900, 3600, 21_600] as const

/** Whole hours are rolled up, and a clock of PostgreSQL that steps moves the retention by up to an hour. */
const marginOfRetention = 7200

/** The outcome of one seed. */
export interface Outcome {
  slots: number
  kills: number
  restores: number
  faults: number
}

/** Runs the path of a slot in a made-up world until about `slots` were captured. Throws when anything is lost, doubled or wrong. */
export async function simulate(seed: number, slots: number, files: Files): Promise<Outcome> {
  const world = openWorld(seed)
  const oracle = openOracle()
  const interval = world.pick(intervals)
  const hasRetention = world.chance(0.3)
  const outcome: Outcome = { slots: 0, kills: 0, restores: 0, faults: 0 }
  const postgres = openPostgresModel(world, (slot) => {
    outcome.slots += 1
    const rows = marketRows(slot)
    oracle.captured(slot, rows)
    const lines = rows.map(lineOf)
    const cut = world.below(lines.length + 1)
    const parts = [lines.slice(0, cut), lines.slice(cut)].filter((part) => part.length > 0)
    return { parts: parts.map((part) => part.join('\n')), observations: rows.length }
  })
  const clickhouse = openClickHouseModel(world)
  const copies = { postgres: postgres.copy(), clickhouse: clickhouse.copy() }
  let restored = false
  /** The oldest rows of imports that go on or failed. */
  const unfinished = new Set<number>()

  function marketRows(slot: number): Row[] {
    const count = world.chance(0.1) ? 0 : 1 + world.below(4)
    return Array.from({ length: count }, (_, machine) => ({
      slot,
      machine,
      gpu: world.pick(gpus),
      gpus: 1 + world.below(8),
      machines: 1,
      rented: world.chance(0.5),
      price: (1 + world.below(5)) / 2,
      source: 'market',
      importId: 0,
    }))
  }

  function writeFile(): string {
    const name = `file ${files.size}`
    const newest = Math.floor(world.now / 900) * 900
    // A machine has one name, and its six prices have no more GPUs than it.
    const machines = gpus.map((gpu, index) => ({ machine: 1000 + index, gpu }))
    const rows = Array.from({ length: 1 + world.below(5) }, () => ({
      ...world.pick(machines),
      slot: newest - 900 * world.below(world.chance(0.1) ? 40_000 : 60),
      gpus: 1,
      machines: 0,
      rented: world.chance(0.5),
      price: 1 + world.below(3),
      source: 'file',
      importId: 0,
    }))
    files.set(name, rows)
    return name
  }

  /**
   * The clock goes on, unless rows of an import whose roll-up is left to do would fall behind the retention. That is a known limit
   * (docs/reliability.md).
   */
  function passTime(seconds: number): void {
    const since = postgres.since()
    const pending = postgres.state.pending.filter(({ rebuild }) => !rebuild).map(({ from }) => from)
    const behind = since + seconds + marginOfRetention
    if ([...unfinished, ...pending].some((slot) => slot >= since && slot < behind)) return
    world.now += seconds
  }

  async function importOne(stores: Stores): Promise<void> {
    const again = [...files.keys()].at(-1)
    const name = again !== undefined && world.chance(0.4) ? again : writeFile()
    const oldest = Math.min(
      ...(files.get(name) ?? []).map(({ slot }) => slot).filter((slot) => slot >= postgres.since()),
    )
    unfinished.add(oldest)
    await importFiles({ ...stores, clock: systemClock }, [name], { format })
    unfinished.delete(oldest)
    oracle.imported((files.get(name) ?? []).filter(({ slot }) => slot >= postgres.since() + 3600))
  }

  const storesOf = (process: Process): Stores => ({
    postgres: postgres.clientFor(process),
    clickhouse: clickhouse.clientFor(process),
  })

  async function act(stores: Stores): Promise<unknown> {
    const choice = world.random()
    if (choice < 0.55) {
      passTime(interval * (world.chance(0.1) ? 1 + world.below(20) : 1))
      if (world.chance(0.4)) return takeSnapshot(stores, interval)
      return capture(stores.postgres, await currentSlot(stores.postgres, interval))
    }
    if (choice < 0.75) return loadAll(stores)
    if (choice < 0.9) return importOne(stores)
    if (choice < 0.93) return rebuildSeries(stores, await rangeToRebuild(stores.clickhouse, {}))
    if (choice < 0.96) return check(stores, await rangeToCheck(stores, {}))
    return purge(stores, world.below(5))
  }

  /** Runs `work` in a process of its own. Undefined: it was killed. */
  function run(work: (stores: Stores, process: Process) => Promise<unknown>) {
    const process = world.newProcess()
    const state = { process, isDone: false, error: undefined as Error | undefined }
    work(storesOf(process), process).then(
      () => {
        state.isDone = true
      },
      (error: Error) => {
        state.isDone = true
        state.error = error
      },
    )
    return state
  }

  function refuse(error: Error): void {
    if (error instanceof InjectedError || /lock was lost|UNKNOWN_TABLE/.test(error.message)) return
    // It refuses to work until the stores are reconciled.
    if (restored && /older than|neither in the spool nor/.test(error.message)) return
    throw error
  }

  /** Some actions of a process, which goes on after an error as a worker does. */
  const worker = () =>
    run(async (stores, process) => {
      for (let left = 1 + world.below(8); left > 0; left -= 1) {
        try {
          await act(stores)
        } catch (error) {
          refuse(error as Error)
        }
        await world.pause(process)
      }
    })

  const stormy = () => ({
    lostBefore: world.pick([0, 0.01, 0.03]),
    lostAfter: world.pick([0, 0.01, 0.03]),
    slow: 0.03,
  })

  function disturb(kill: () => void): void {
    outcome.faults += 1
    const choice = world.random()
    world.note(() => `disturbed ${choice}`)
    if (choice < 0.25) kill()
    else if (choice < 0.4) postgres.cut()
    else if (choice < 0.5) postgres.restart()
    else if (choice < 0.6) clickhouse.restart()
    else if (choice < 0.75) clickhouse.merge()
    else if (choice < 0.85)
      world.skew.postgres = Math.round((world.random() * 2 - 1) * (hasRetention ? 1700 : 86_400))
    else if (choice < 0.9) copies.postgres = postgres.copy()
    // Work left by a crash is done within a minute, long before its month is old enough to be removed.
    else if (postgres.state.pending.length === 0) clickhouse.expire()
  }

  /** Several processes at once, with disturbances, until all have ended or were killed. */
  async function storm(start: () => ReturnType<typeof run>[]): Promise<void> {
    world.weather = stormy()
    const processes = start()
    const kill = () => {
      const alive = processes.filter(({ process, isDone }) => process.isAlive && !isDone)
      if (alive.length === 0) return
      outcome.kills += 1
      world.kill(world.pick(alive).process)
    }
    let left = world.below(12)
    const next = () => {
      if (left <= 0) return
      left -= 1
      disturb(kill)
      wait(world.below(60))
    }
    const wait = (turns: number): void => world.later(() => (turns > 0 ? wait(turns - 1) : next()))
    wait(world.below(60))
    const isOver = ({ process, isDone }: ReturnType<typeof run>) => isDone || !process.isAlive
    await world.until(() => processes.every(isOver))
    left = 0
    world.weather = calm
    world.note(() => 'calm')
    for (const state of processes) {
      if (state.error) throw state.error
      if (!isOver(state)) throw new Error('a process waits for ever')
    }
  }

  /** Runs `work` without faults. */
  async function calmly<T>(work: (stores: Stores) => Promise<T>): Promise<T> {
    let result: T | undefined
    const state = run(async (stores) => {
      result = await work(stores)
    })
    await world.until(() => state.isDone)
    if (state.error) throw state.error
    if (!state.isDone) throw new Error('a process waits for ever')
    return result as T
  }

  /** Loads the remaining snapshots. Statements of a killed process may still arrive meanwhile, and take effect then. */
  async function recover(): Promise<void> {
    const isLeft = () =>
      postgres.state.pending.length > 0 ||
      postgres.state.importWork.length > 0 ||
      [...postgres.state.snapshots.values()].some(({ loadedAt }) => loadedAt === undefined)
    for (let tries = 5; tries > 0; tries -= 1) {
      await calmly((stores) => loadAll(stores))
      if (isLeft()) continue
      unfinished.clear()
      return
    }
  }

  const verify = (when: string) =>
    oracle.verify({ postgres: postgres.state, series: clickhouse.state, since: postgres.since(), when })

  async function restore(): Promise<void> {
    outcome.restores += 1
    restored = true
    await world.until(world.isQuiet)
    const which = world.pick(['postgres', 'clickhouse', 'both'] as const)
    world.note(() => `restore of ${which}`)
    if (which !== 'clickhouse') postgres.restore(copies.postgres)
    if (which !== 'postgres') {
      clickhouse.restore(copies.clickhouse, world.pick(['of the backup', 'none', 'of the present'] as const))
      oracle.forgetImports(
        new Set([...clickhouse.state.observations, ...clickhouse.state.expired].map(keyOfRow)),
      )
    }
    // Before the reconciliation, workers run and must not do harm.
    if (world.chance(0.5)) await storm(() => [worker()])
    const mustKeep = oracle.complete({
      postgres: postgres.state,
      series: clickhouse.state,
      since: postgres.since(),
    })
    if (world.chance(0.5))
      await storm(() => [run((stores) => reconcile(stores, { acceptLoss: true }).catch(refuse))])
    await calmly((stores) => reconcile(stores, { acceptLoss: true }))
    restored = false
    oracle.reconciled(postgres.state, mustKeep)
  }

  try {
    while (outcome.slots < slots) {
      await storm(() => Array.from({ length: 1 + world.below(3) }, worker))
      if (world.chance(0.15)) await restore()
      await recover()
      verify('right after the recovery')
      await world.until(world.isQuiet)
      await recover()
      verify('when the last statement has ended')
      // As at a start. A failed import without a roll-up would be too old for it from now on.
      const days = world.chance(0.8) ? 31 + world.below(30) : undefined
      if (hasRetention && world.chance(0.2)) await calmly((stores) => setRetention(stores, days))
      if (world.chance(0.3)) copies.postgres = postgres.copy()
      if (world.chance(0.3)) copies.clickhouse = clickhouse.copy()
    }
    return outcome
  } catch (error) {
    const trace = process.env.TRACE ? `\n${world.trace.join('\n')}` : ''
    throw new Error(`seed ${seed}: ${(error as Error).message}${trace}`, { cause: error })
  }
}

const lineOf = ({ slot, machine, gpu, gpus: count, machines, rented, price, source }: Row): string =>
  JSON.stringify([slot, machine, gpu, 8, count, machines, rented, true, 'unknown', price, null, null, source])
