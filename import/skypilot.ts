import { spawn } from 'node:child_process'
import { typesNamed } from '../contract/gpu-types.ts'
import {
  type CatalogOffer,
  changesSince,
  isPlausible,
  type KnownPrices,
  knownPrices,
  type ListPriceChange,
  writeChanges,
} from '../ingest/list-prices.ts'
import { locks, withAdvisoryLock } from '../platform/stores/postgres.ts'
import type { Stores } from '../platform/stores/stores.ts'
import { UsageError } from '../platform/usage-error.ts'
import { csvRecords } from './csv.ts'
import { FileError } from './record.ts'

const catalog = 'skypilot'
const columns = ['InstanceType', 'AcceleratorName', 'AcceleratorCount', 'Region', 'Price', 'SpotPrice']

/** A file of the history that was changed by a commit. */
interface Change {
  /** When the commit was made, unix seconds. Later than that of the commit before it. */
  time: number
  provider: string
  blob: string
}

interface Provider {
  known: KnownPrices
  offers: number
  leftOut: Record<string, number>
}

export interface SkypilotReport {
  commits: number
  /** Files of commits that were not taken before. */
  files: number
  changes: number
  providers: Record<string, { offers: number; left_out: Record<string, number> }>
  /** Files that could not be read, and why. */
  unreadable: string[]
}

export interface SkypilotOptions {
  /** Called with the share of the history that was read. */
  onRead?: (share: number) => void
  /** Called when changes are written: everything before them is there then. */
  onWritten?: () => Promise<void>
  /** Changes that are written together. */
  atOnce?: number
}

/**
 * Takes the history of a clone of the catalogs of SkyPilot: a row where a price changed. What ClickHouse has of a provider is not read again,
 * so an import that was ended goes on where it was, and a second one adds what is new.
 */
export async function importSkypilot(
  { postgres, clickhouse }: Stores,
  folder: string,
  { onRead, onWritten, atOnce = 50_000 }: SkypilotOptions = {},
): Promise<SkypilotReport> {
  const { changes, last, commits } = await historyOf(folder)
  const providers = new Map<string, Provider>()
  const unreadable: string[] = []
  let [files, written] = [0, 0]
  let waiting: ListPriceChange[] = []
  const write = async () => {
    await writeChanges(clickhouse, waiting)
    written += waiting.length
    waiting = []
    await onWritten?.()
  }
  await withAdvisoryLock(postgres, locks.prices, async ({ signal }) => {
    for (const [index, { time, provider, blob }] of changes.entries()) {
      signal.throwIfAborted()
      const own = providers.get(provider) ?? {
        known: await knownPrices(clickhouse, catalog, provider),
        offers: 0,
        leftOut: {},
      }
      providers.set(provider, own)
      // The newest file is read again, for what it says of itself.
      const isNew = time > own.known.changed
      if (!isNew && changes.findLast((one) => one.provider === provider)?.blob !== blob) continue
      try {
        const { offers, leftOut } = await readOffers(gitOutput(folder, ['cat-file', 'blob', blob]))
        Object.assign(own, { offers: offers.length, leftOut })
        if (isNew) waiting.push(...changesSince(own.known, offers, time))
        files += isNew ? 1 : 0
      } catch (error) {
        if (!(error instanceof FileError)) throw error
        unreadable.push(`${provider}, ${blob.slice(0, 12)}: ${error.message}`)
      }
      onRead?.((index + 1) / changes.length)
      if (waiting.length >= atOnce) await write()
    }
    await write()
    for (const [provider, { offers, leftOut }] of providers)
      await postgres.query('catalogs/take', [
        catalog,
        provider,
        folder,
        last,
        offers,
        JSON.stringify(leftOut),
        null,
        0,
      ])
  })
  const summary = [...providers].map(([name, { offers, leftOut }]) => [name, { offers, left_out: leftOut }])
  return { commits, files, changes: written, providers: Object.fromEntries(summary), unreadable }
}

/** The files of providers in the order of the commits that changed them. Of several versions of the format the highest counts. */
async function historyOf(folder: string): Promise<{ changes: Change[]; last: number; commits: number }> {
  // One of each commit and provider: a later version of the format comes behind an earlier one.
  const changes = new Map<string, Change>()
  const versions = new Map<string, number>()
  let [time, commits] = [0, 0]
  const log = ['log', '--reverse', '--first-parent', '-m', '--raw', '--no-abbrev', '--no-renames']
  let output = ''
  for await (const chunk of gitOutput(folder, [
    ...log,
    '--no-ext-diff',
    '--format=%ct',
    'HEAD',
    '--',
    'catalogs',
  ]))
    output += chunk.toString('latin1')
  for (const line of output.split('\n')) {
    if (/^\d+$/.test(line)) {
      // Commits of one second, or of a clock that was set back, keep their order.
      time = Math.max(Number(line), time + 1)
      commits += 1
    }
    const [, blob = '', number = '', provider = ''] =
      /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) [AM]\tcatalogs\/v(\d+)\/(\w+)(?:\/vms)?\.csv$/.exec(line) ?? []
    const version = Number(number)
    if (blob === '' || version < (versions.get(provider) ?? 0)) continue
    versions.set(provider, version)
    changes.set(`${time} ${provider}`, { time, provider, blob })
  }
  if (changes.size === 0)
    throw new UsageError(`${folder} has no history of files such as catalogs/v5/aws/vms.csv.`)
  return { changes: [...changes.values()], last: time, commits }
}

/** What git prints. Throws UsageError when it fails. Nothing that the clone configures is run. */
async function* gitOutput(folder: string, args: readonly string[]): AsyncGenerator<Buffer> {
  const git = spawn('git', ['-C', folder, '-c', 'core.fsmonitor=false', '--no-pager', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let problem = ''
  git.stderr.setEncoding('utf8').on('data', (text: string) => {
    problem = (problem + text).slice(0, 500)
  })
  const ended = new Promise<number | string | null>((resolve) => {
    git.on('error', ({ message }) => resolve(message))
    git.on('close', (code, end) => resolve(code ?? end))
  })
  try {
    yield* git.stdout as AsyncIterable<Buffer>
    const end = await ended
    if (end !== 0) throw new UsageError(`git cannot read ${folder}: ${problem.trim() || end}`)
  } finally {
    git.kill()
  }
}

/** The offers of a file. Throws FileError. */
export async function readOffers(
  bytes: AsyncIterable<Buffer>,
): Promise<{ offers: CatalogOffer[]; leftOut: Record<string, number> }> {
  const offers: CatalogOffer[] = []
  const leftOut: Record<string, number> = {}
  for await (const batch of csvRecords(bytes, columns))
    for (const { fields, problem = 'not readable' } of batch) {
      const read = fields ? offersOf(fields as Row) : problem
      if (typeof read === 'string') leftOut[read] = (leftOut[read] ?? 0) + 1
      else offers.push(...read)
    }
  return { offers, leftOut }
}

type Row = Record<string, string | undefined>

/** The offers of a row, none of an instance without accelerators; or why it cannot be used. */
function offersOf(row: Row): CatalogOffer[] | string {
  const { InstanceType: instance_name = '', AcceleratorName: listed_name = '', Region: region = '' } = row
  if (listed_name === '') return []
  if (instance_name === '') return 'a GPU without its instance'
  const gpus = Number(row.AcceleratorCount)
  if (!Number.isInteger(gpus) || gpus < 1) return 'not a number of whole GPUs'
  const [, mib] = /'SizeInMiB': (\d+)/.exec(row.GpuInfo ?? '') ?? []
  const memory = mib === undefined || mib === '0' ? undefined : perGpu(Number(mib) / 1024, listed_name, gpus)
  const prices = [
    { spot: false, usd: row.Price },
    { spot: true, usd: row.SpotPrice },
  ].flatMap(({ spot, usd }) => (usd === undefined || usd === '' ? [] : [{ spot, usd: Number(usd) }]))
  if (!prices.every(({ usd }) => isPlausible({ usd, gpus }))) return 'not a price'
  return prices.map((price) => ({ instance_name, region, listed_name, memory, gpus, ...price }))
}

/** The files of AWS tell for some types, such as the L4, the memory of all GPUs of an instance as that of each. */
const perGpu = (told: number, name: string, gpus: number): number =>
  typesNamed(name, told).length === 0 && typesNamed(name, told / gpus).length > 0 ? told / gpus : told
