import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { groupBy } from '../platform/group-by.ts'

const hour = 3600
/** Snapshots are about 6.5 hours apart. Hours in a longer pause are unknown. */
const longestPause = 12 * hour

interface Market {
  name: string
  /** One value for each hour; null: unknown. */
  prices: (number | null)[]
  /** Available GPUs at or below the median price of all hours. */
  counts: (number | null)[]
}

/** A history of spot prices, by GPU name. Undefined, with a printed reason, if there is none. */
export function readRealPrices(folder: string | undefined): Market[] | undefined {
  const [history, offers] = ['aws_gpu_spot_history.csv.gz', 'aws_gpu_offers.csv.gz'].map((name) =>
    join(folder ?? '', name),
  )
  if (!folder || !history || !offers || !existsSync(history) || !existsSync(offers)) {
    console.log(`\nskipped: no AWS spot history in ${folder ?? 'a folder'} (--data)`)
    return undefined
  }
  const offerOf = new Map(
    linesOf(offers).map(([id, , , name, gpus]) => [id, { name: name ?? '', gpus: Number(gpus) }] as const),
  )
  const observations = linesOf(history).flatMap(([at, id, price]) => {
    const offer = offerOf.get(id ?? '')
    return offer?.gpus ? [{ ...offer, at: Number(at), price: Number(price) / offer.gpus }] : []
  })
  const times = [...new Set(observations.map(({ at }) => at))].sort((a, b) => a - b)
  return [...groupBy(observations, ({ name }) => name)].map(([name, of]) => ({
    name,
    ...hourlyOf(of, times),
  }))
}

function linesOf(file: string): string[][] {
  const [, ...lines] = gunzipSync(readFileSync(file)).toString().trim().split('\n')
  return lines.map((line) => line.split(','))
}

interface Observation {
  at: number
  price: number
  gpus: number
}

function hourlyOf(observations: readonly Observation[], times: readonly number[]) {
  const at = groupBy(observations, (one) => one.at)
  const most = medianOf(observations) ?? 0
  const prices: (number | null)[] = []
  const counts: (number | null)[] = []
  for (const [index, time] of times.entries()) {
    const now = at.get(time) ?? []
    const count = now.reduce((sum, { price, gpus }) => sum + (price <= most ? gpus : 0), 0)
    const next = times[index + 1] ?? time + hour
    // An hour uses the snapshot at its beginning or before it.
    for (let passed = 0; passed < Math.floor(next / hour) - Math.floor(time / hour); passed += 1) {
      const isKnown = passed * hour < longestPause
      prices.push(isKnown ? medianOf(now) : null)
      counts.push(isKnown ? count : null)
    }
  }
  return { prices, counts }
}

/** The median price, weighted by GPUs, nearest rank; null: there are no GPUs. */
export function medianOf(observations: readonly Pick<Observation, 'price' | 'gpus'>[]): number | null {
  const sorted = [...observations].sort((a, b) => a.price - b.price)
  const half = sorted.reduce((sum, { gpus }) => sum + gpus, 0) / 2
  let sum = 0
  const found = sorted.find(({ gpus }) => {
    sum += gpus
    return sum >= half
  })
  return found?.price ?? null
}
