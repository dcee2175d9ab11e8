import { day } from '../contract/durations.ts'
import { gpuName, longestName } from '../contract/gpu-names.ts'
import type { Fields } from '../import/record.ts'
import { filtersOf } from './cells.ts'
import { type Coverage, countStates, coverageByName, sampleOf, shareOf } from './coverage.ts'
import { marketOf } from './picture.ts'
import { get, type SourceResponse } from './request.ts'
import type { OwnMachines, Request, SourceAnswer, StoredPicture } from './source.ts'
import { SourceError } from './source-error.ts'
import { sweep } from './sweep.ts'

/** Sends a search with further filters. Undefined: the answer is the one of the validators. */
export type Search = (
  filters: object,
  request: Request,
) => Promise<{ offers: Fields[]; raw: number; response: SourceResponse } | undefined>

export interface SampledSearch {
  url: URL
  userAgent: string
  callsPerMinute: number
  search: Search
  request: Request
  pause(ms: number, signal: AbortSignal): Promise<void>
}

/** Share of the time between two slots in which searches are sent. The rest is for the answer to be taken before the next slot begins. */
const sweepShare = 0.8
/** Seconds. */
const longestSweep = 1600
/** The most random samples that coverage is estimated from: an hour of slots every five minutes. */
const mostSamples = 12
/** An answer is whole when it is clearly shorter than an answer that was cut, whose length varies. */
const wholeShare = 0.85
const mostNames = 1000
const shortestPauseMs = 30_000

/**
 * Sweeps a market whose search answers samples. `sample`: the answer to the question for everything. `picture`: what earlier slots have seen; undefined: there
 * was none, and two more questions have shown that it is a sample.
 */
export async function sweepMarket(
  sample: readonly Fields[],
  picture: StoredPicture | undefined,
  { url, userAgent, callsPerMinute, search, request, pause }: SampledSearch,
): Promise<SourceAnswer> {
  const { slot, interval, pictures } = request
  if (sample.length === 0) throw new SourceError('The search answers with no offers.')
  const stored = picture ?? emptyPicture()
  const seconds = Math.min(interval * sweepShare, longestSweep)
  const until = performance.now() + seconds * 1000
  let calls = picture ? 1 : 3
  let left = Math.max(1, Math.floor((seconds * callsPerMinute) / 60) - calls)
  let problem: string | null = null
  const names = await namesOf(stored, sample, { url, userAgent, request })
  const ask = async (filters: object): Promise<Fields[] | undefined> => {
    while (left > 0 && performance.now() < until) {
      left -= 1
      calls += 1
      try {
        const answer = await search(filters, { ...request, validators: undefined })
        return answer?.offers
      } catch (error) {
        if (!(error instanceof SourceError)) throw error
        if (error.status !== 429) {
          problem = error.message
          return undefined
        }
        const wait = Math.max(shortestPauseMs, ((error.retryAt ?? 0) - request.clock.now()) * 1000)
        problem = `${error.message} The sweep went on after ${Math.round(wait / 1000)} seconds.`
        left -= Math.ceil((wait / 60_000) * callsPerMinute)
        if (left <= 0 || performance.now() + wait > until)
          problem = `${error.message} The sweep of this slot ended after ${calls} searches.`
        else await pause(wait, request.signal)
      }
    }
    return undefined
  }
  await sweep(stored, {
    slot,
    calls: left,
    wholeBelow: Math.floor(sample.length * wholeShare),
    names,
    isOwn: ownOf(request.own),
    ask: (cell) => ask(filtersOf(cell)),
  })
  stored.samples = [...stored.samples, { slot, machines: sampleOf(sample) }].slice(-mostSamples)
  await pictures?.write(stored, slot)
  const { market, byName } = marketOf(stored, slot)
  const coverage = coverageOf(stored, { slot, calls, problem, machines: market.machines }, byName)
  return { unchanged: false, market, validators: {}, coverage }
}

function ownOf(own: OwnMachines | undefined): (offer: Fields) => boolean {
  const [hosts, machines] = [new Set(own?.hosts), new Set(own?.machines)]
  return ({ host_id, machine_id }) => hosts.has(Number(host_id)) || machines.has(Number(machine_id))
}

const offersOf = ({ machines }: StoredPicture) => [...machines.values()].flatMap(({ offers }) => offers)

const emptyPicture = (): StoredPicture => ({
  machines: new Map(),
  cells: [],
  samples: [],
  names: [],
  namesAt: 0,
})

type Facts = Pick<Coverage, 'calls' | 'problem' | 'machines'> & { slot: number }
type SlotNames = ReturnType<typeof marketOf>['byName']

function coverageOf(stored: StoredPicture, { slot, ...facts }: Facts, byName: SlotNames): Coverage {
  const names: Coverage['names'] = {}
  let [sampled, known, carried] = [0, 0, 0]
  const samples = stored.samples.flatMap(({ machines: drawn }) => drawn)
  const shares = coverageByName(stored, samples, slot)
  for (const [name, share] of shares) {
    const seen = byName.get(name) ?? { machines: 0, carried: 0 }
    sampled += share.sampled
    known += share.known
    carried += seen.carried
    // A name without offers has no share.
    if (share.sampled > 0 || seen.machines > 0) names[name] = { ...share, ...seen }
  }
  const ages = Object.values(names).map(({ age }) => age)
  return {
    ...shareOf(known, sampled),
    ...facts,
    method: 'repeats',
    carried,
    age: ages.includes(null) ? null : Math.max(0, ...ages.filter((age) => age !== null)),
    states: countStates(offersOf(stored)),
    names,
  }
}

/** The GPU names to ask for: the list of the marketplace, which is read once a day, and the names in the sample. */
async function namesOf(
  stored: StoredPicture,
  sample: readonly Fields[],
  { url, userAgent, request }: Pick<SampledSearch, 'url' | 'userAgent' | 'request'>,
): Promise<string[]> {
  const { slot } = request
  if (Math.abs(slot - stored.namesAt) >= day) {
    stored.names = await readNames(url, userAgent, request).catch((error) => {
      if (error instanceof SourceError) return stored.names
      throw error
    })
    stored.namesAt = slot
  }
  // The marketplace's list first: names of the sample in front would be swept first, and the sample would find more of itself than of the market.
  return [...new Set([...stored.names, ...sample.map(({ gpu_name }) => gpu_name)])]
    .filter((name) => typeof name === 'string')
    .filter((name) => gpuName.test(name) && name.length <= longestName)
    .slice(0, mostNames)
}

async function readNames(url: URL, userAgent: string, request: Request): Promise<string[]> {
  const address = new URL('../gpu_names/unique/', url)
  const answer = await get(address, userAgent, { ...request, validators: undefined })
  let text = ''
  for await (const bytes of answer?.bytes ?? []) text += bytes.toString('latin1')
  try {
    const document = JSON.parse(Buffer.from(text, 'latin1').toString('utf8'))
    const names = Array.isArray(document) ? document : document?.gpu_names
    return Array.isArray(names) ? names : []
  } catch {
    return []
  }
}
