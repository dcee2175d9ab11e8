import { mean } from 'simple-statistics'
import { hour } from '../contract/durations.ts'
import { compareGroups, type TermDays } from '../estimates/income-by-terms.ts'
import { groupBy } from '../platform/group-by.ts'
import { askedPrice, positionsIn } from '../simulate/market.ts'
import { drawMarket } from '../simulate/population.ts'
import { seeded, seededFor } from '../simulate/random.ts'
import { monthDays, monthOf, propertiesOf } from './worth.ts'

interface TermMachine extends TermDays {
  class: string
  level: number
}

const anchor = 1_795_000_500

/**
 * A month of the machines with several GPUs in a simulated market. Half of them rent out whole rigs only. `isPlanted`: renters who want fewer GPUs go away
 * from these. Otherwise the term makes no difference.
 */
function machinesOf(seed: number, { size, isPlanted }: { size: number; isPlanted: boolean }): TermMachine[] {
  const random = seeded(seed)
  const market = drawMarket({ seed, size, anchor, past: 0, interval: hour })
  for (const machine of market.machines) {
    machine.price = askedPrice(market, machine, random)
    const isWhole = seededFor(seed + 13, machine.id)() < 0.5
    if (isPlanted && isWhole) machine.smallest = machine.numGpus
  }
  const positionOf = positionsIn(market)
  return market.machines.flatMap((machine) => {
    const { id, type, numGpus } = machine
    const { host, tier, isDatacenter } = propertiesOf(machine, seed)
    const { rented, avail, paid } = monthOf(machine, { random, market, positionOf })
    if (numGpus === 1) return []
    return {
      class: `${type.name} ${numGpus}`,
      level: seededFor(seed + 13, id)() < 0.5 ? numGpus : 1,
      host,
      stratum: `${tier} ${isDatacenter}`,
      days: monthDays,
      gpus: rented + avail,
      paid,
    }
  })
}

interface ClassDifference {
  class: string
  /** USD per GPU and day that machines with parts of 1 earned more than whole rigs. */
  more: { value: number; low: number; high: number }
  /** True: parts of 1 are advised to the machines of whole rigs. False: whole rigs are advised to the others. */
  advice: boolean | null
}

/** The difference of each class of a market. */
function found(seed: number, options: { size: number; isPlanted: boolean }): ClassDifference[] {
  return [...groupBy(machinesOf(seed, options), (machine) => machine.class)].flatMap(([name, of]) => {
    const groups = [...groupBy(of, ({ level }) => level)].map(([level, rows]) => ({ level, rows }))
    const compared = compareGroups(groups)
    const [parts, whole] = [
      compared.find(({ level }) => level === 1),
      compared.find(({ level }) => level > 1),
    ]
    const more = whole?.others[0]?.more
    if (!more) return []
    return { class: name, more, advice: whole.better ? true : parts?.better ? false : null }
  })
}

/** Advice on the smallest part in simulated markets, with a planted effect or without. */
export function adviceOnParts(seeds: readonly number[], options: { size: number; isPlanted: boolean }) {
  const all = seeds.flatMap((seed) => found(seed, options))
  // Parts of 1 never earn less in the simulator. The mean over the markets is the truth of a class.
  const truths = new Map(
    [...groupBy(all, (one) => one.class)].map(([name, of]) => [
      name,
      options.isPlanted ? mean(of.map(({ more }) => more.value)) : 0,
    ]),
  )
  const holds = ({ class: name, more }: ClassDifference) => {
    const truth = truths.get(name) ?? 0
    return more.low <= truth && truth <= more.high
  }
  return {
    compared: all.length,
    held: all.filter(holds).length,
    right: all.filter(({ advice }) => advice === true).length,
    wrong: all.filter(({ advice }) => advice === false).length,
  }
}

/** Prints how often parts of 1 are advised where they earn more, and where the part makes no difference. */
export function measureAdviceOnParts(markets: number, size: number): void {
  const seeds = Array.from({ length: markets }, (_, index) => 500 + index)
  for (const isPlanted of [true, false]) {
    console.log(
      `\n${markets} markets of ${size} machines, ${isPlanted ? 'with' : 'without'} a planted effect`,
    )
    console.table(adviceOnParts(seeds, { size, isPlanted }))
  }
}
