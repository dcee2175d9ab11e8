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
  /** Unix seconds of the commit. Later than the commit before it. */
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
  /** Number of files of new commits. */
  files: number
  changes: number
  providers: Record<string, { offers: number; left_out: Record<string, number> }>
  /** Files that could not be read, with the reason. */
  unreadable: string[]
}

export interface SkypilotOptions {
  /** Called with the share of the history that was read. */
  onRead?: (share: number) => void
  /** Called when changes have been written, with all changes before them. */
  onWritten?: () => Promise<void>
  /** Number of changes in one write. */
  atOnce?: number
}

/**
 * Imports the history of a clone of SkyPilot's catalogs: a row for each price change. Changes that ClickHouse has of a provider
 * are not read again. So an interrupted import continues where it stopped, and a second one adds only new changes.
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
      // The newest stored file is read again for its own properties.
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
        '[]',
      ])
  })
  const summary = [...providers].map(([name, { offers, leftOut }]) => [name, { offers, left_out: leftOut }])
  return { commits, files, changes: written, providers: Object.fromEntries(summary), unreadable }
}

/** The files of providers in the order of the commits that changed them. If the format has several versions, the highest counts. */
async function historyOf(folder: string): Promise<{ changes: Change[]; last: number; commits: number }> {
  // One change for each commit and provider: a later version of the format follows an earlier one.
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

/** The output of git. Throws UsageError when git fails. Hooks and programs that the clone configures are not run. */
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

/** The offers of a row (none for an instance without accelerators), or the reason why it cannot be used. */
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

/** For some types, such as the L4, the AWS files give the memory of all GPUs of an instance as the memory of each. */
const perGpu = (listed: number, name: string, gpus: number): number =>
  typesNamed(name, listed).length === 0 && typesNamed(name, listed / gpus).length > 0 ? listed / gpus : listed
