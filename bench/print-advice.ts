import { execFileSync } from 'node:child_process'
import { sum } from 'simple-statistics'
import { adviseMarket, type Judged, type JudgedFleet, meanOf } from './advice-in-markets.ts'
import { type MarketKind, marketKinds } from './renters.ts'

/** Ages of a market's record in days: an hour, a day, a week, three weeks. */
const ages: Record<MarketKind, readonly number[]> = {
  rank: [1 / 24, 1, 7, 21],
  price: [1 / 24, 1, 7],
  kink: [1 / 24, 1, 7],
  hosts: [1 / 24, 1, 7],
}

/** Seeds drawn from the hash of the commit: no constant was set while looking at them. At most ten. */
export function seedsOfCommit(count: number): number[] {
  const hash = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()
  const width = Math.floor(hash.length / count)
  return Array.from({ length: count }, (_, index) =>
    Number.parseInt(hash.slice(width * index, width * (index + 1)), 16),
  )
}

/** Prints how often advice is given, and how right it is, in markets of known rates. */
export async function measureAdvice(seeds: readonly number[], size: number): Promise<void> {
  console.log(`seeds ${seeds.join(', ')}: ${size} machines, a slot each 15 minutes`)
  for (const kind of marketKinds) {
    const markets = []
    for (const seed of seeds) markets.push(await adviseMarket(kind, { seed, size, ages: ages[kind] }))
    for (const days of ages[kind]) {
      const print = <One extends { days: number; seed: number }>(
        title: string,
        all: readonly One[],
        of: (some: readonly One[]) => object,
      ) => {
        const ofAge = all.filter((one) => one.days === days)
        console.log(`\n${kind}, ${days < 1 ? '1 h' : `${days} d`}, ${ofAge.length} ${title}`)
        console.table({
          ...Object.fromEntries(seeds.map((seed) => [seed, of(ofAge.filter((one) => one.seed === seed))])),
          all: of(ofAge),
        })
      }
      print(
        'machines',
        markets.flatMap(({ past }) => past),
        figuresOf,
      )
      print(
        'machines in the next three days',
        markets.flatMap(({ next }) => next),
        nextOf,
      )
      print(
        'fleets',
        markets.flatMap(({ fleets }) => fleets),
        fleetsOf,
      )
    }
  }
}

/** Figures of advice in the days after it. */
function nextOf(judged: readonly Judged[]) {
  const changed = [...of(judged, 'raise'), ...of(judged, 'lower')]
  return {
    right: rounded(meanOf(changed.map(({ trueGain }) => Number(trueGain > 0)))),
    holds: rounded(meanOf(changed.map(isHeld))),
    'claimed ÷ true': claimedOf(changed),
    'USD a day': rounded(sum(changed.map(({ trueGain }) => trueGain)) / judged.length),
  }
}

/** Figures of gains that were summed over fleets. */
function fleetsOf(fleets: readonly JudgedFleet[]) {
  return {
    fleets: fleets.length,
    holds: rounded(
      meanOf(fleets.map(({ gain, trueGain }) => Number(gain.low <= trueGain && trueGain <= gain.high))),
    ),
    'misses below': rounded(meanOf(fleets.map(({ gain, trueGain }) => Number(trueGain < gain.low)))),
    'claimed ÷ true': rounded(
      sum(fleets.map(({ gain }) => gain.value)) / sum(fleets.map(({ trueGain }) => trueGain)),
    ),
    'half width ÷ gain': rounded(
      meanOf(fleets.map(({ gain: { value, low, high } }) => (high - low) / 2 / value)),
    ),
    'at others, of it': rounded(
      sum(fleets.map(({ effect }) => effect)) / sum(fleets.map(({ gain }) => gain.value)),
    ),
    held: sum(fleets.map(({ held }) => held)),
  }
}

function figuresOf(judged: readonly Judged[]) {
  const [raises, lowers] = [of(judged, 'raise'), of(judged, 'lower')]
  const changed = [...raises, ...lowers]
  const share = (some: readonly Judged[]) => rounded(some.length / judged.length)
  const trying = of(judged, 'try')
  return {
    actionable: share([...changed, ...of(judged, 'keep')]),
    try: share(trying),
    unknown: share(of(judged, 'unknown')),
    right: rounded(meanOf(changed.map(({ trueGain }) => Number(trueGain > 0)))),
    'holds: raise': rounded(meanOf(raises.map(isHeld))),
    'holds: lower': rounded(meanOf(lowers.map(isHeld))),
    'misses below': rounded(
      meanOf(changed.map((one) => Number(one.trueGain < (one.decision.gain_per_day?.low ?? 0)))),
    ),
    'claimed ÷ true: raise': claimedOf(raises),
    'claimed ÷ true: lower': claimedOf(lowers),
    'USD a day': rounded(sum(changed.map(({ trueGain }) => trueGain)) / judged.length),
    'of at most': rounded(meanOf(judged.map(({ best }) => best))),
    'half width ÷ gain': rounded(meanOf(changed.map(halfWidth))),
  }
}

const of = (judged: readonly Judged[], verdict: string) =>
  judged.filter(({ decision }) => decision.verdict === verdict)
const rounded = (value: number): number => Number(value.toFixed(3))

function isHeld({ decision: { gain_per_day: gain }, trueGain }: Judged): number {
  return Number(gain !== null && gain.low <= trueGain && trueGain <= gain.high)
}

const halfWidth = ({ decision: { gain_per_day: gain } }: Judged): number =>
  gain ? (gain.high - gain.low) / 2 / gain.value : 0

const claimedOf = (judged: readonly Judged[]): number =>
  rounded(
    sum(judged.map(({ decision }) => decision.gain_per_day?.value ?? 0)) /
      sum(judged.map(({ trueGain }) => trueGain)),
  )
