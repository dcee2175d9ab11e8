import { createHash } from 'node:crypto'
import type { PriceIndex } from '../../contract/price-index.ts'
import type { MachineAtSlot } from './history.ts'

const day = 86_400
const dayOf = (slot: number) => Math.floor(slot / day) * day
const rounded = (value: number) => Math.round(value * 1e12) / 1e12

interface Comparison {
  machines: number
  share: number
  link: number | null
}

/** Machines of one GPU name (undefined: of all) that were available on both days, compared with themselves. */
function compare(
  seen: readonly MachineAtSlot[],
  gpu: string | undefined,
  today: number,
  before: number,
): Comparison {
  const availableOn = (start: number) => {
    const machines = new Map<string, { value: number; gpus: number }>()
    for (const one of seen) {
      if (dayOf(one.slot) !== start || one.free === 0 || (gpu !== undefined && one.gpu !== gpu)) continue
      const key = `${one.machine} ${one.gpu} ${one.rig}`
      const machine = machines.get(key) ?? { value: 0, gpus: 0 }
      machines.set(key, { value: machine.value + one.price * one.free, gpus: machine.gpus + one.free })
    }
    return machines
  }
  const [now, then] = [availableOn(today), availableOn(before)]
  const totalOf = (machines: typeof now) => [...machines.values()].reduce((sum, { value }) => sum + value, 0)
  const [allNow, allThen] = [totalOf(now), totalOf(then)]
  let [machines, share, moved] = [0, 0, 0]
  for (const [key, { value, gpus }] of now) {
    const earlier = then.get(key)
    if (!earlier) continue
    const weight = (value / allNow + earlier.value / allThen) / 2
    machines += 1
    share += weight
    moved += weight * Math.log(value / gpus / (earlier.value / earlier.gpus))
  }
  const isEnough = machines >= 20 && share >= 0.3
  return { machines, share: rounded(share), link: isEnough ? rounded(moved / share) : null }
}

/** The index of one GPU name (undefined: of the market) with every day published once. Without its hashes. */
export function expectedIndex(
  seen: readonly MachineAtSlot[],
  gpu: string | undefined,
): Omit<PriceIndex, 'hash'> {
  const all = [...new Set(seen.map(({ slot }) => dayOf(slot)))].sort((a, b) => a - b)
  const isShown = (start: number) =>
    gpu === undefined || seen.some((one) => dayOf(one.slot) === start && one.gpu === gpu && one.free > 0)
  const timestamps = all.filter(isShown)
  const next = timestamps.map((start) => compare(seen, gpu, start, start - day))
  const direct = timestamps.map((start) => compare(seen, gpu, start, start - 28 * day))
  /** The links that lead to a day, without a break. */
  const chainTo = (index: number): number[] => {
    const chain: number[] = []
    for (let back = index; back >= 0; back -= 1) {
      const link = next[back]?.link ?? null
      if (link === null) break
      chain.unshift(link)
    }
    return chain
  }
  const sum = (links: readonly number[]) => links.reduce((total, link) => total + link, 0)
  const drift = timestamps.map((_, index) => {
    const month = chainTo(index).slice(-28)
    const long = direct[index]?.link ?? null
    return month.length < 28 || long === null ? null : 100 * (Math.exp(sum(month) - long) - 1)
  })
  const chains = timestamps.map((_, index) => chainTo(index))
  return {
    timestamps,
    level: chains.map((links) => (links.length === 0 ? null : 100 * Math.exp(sum(links)))),
    base: chains.map((links, index) =>
      links.length === 0 ? null : (timestamps[index] ?? 0) - links.length * day,
    ),
    ln_link: next.map(({ link }) => link),
    machines: next.map(({ machines }) => machines),
    matched_share: next.map(({ share }) => share),
    drift,
    edition: timestamps.map(() => 1),
    revisions: [],
  }
}

/** The content of a row of price_index, computed as in docs/numbers.md. */
export function hashOf(row: {
  day: string
  gpu_name: string
  machines: number
  matched_share: number
  ln_link: number | null
  machines_28: number
  matched_share_28: number
  ln_link_28: number | null
}): string {
  const units = (value: number | null) => (value === null ? '' : Math.round(value * 1e12))
  const figures = [row.machines, units(row.matched_share), units(row.ln_link)]
  const direct = [row.machines_28, units(row.matched_share_28), units(row.ln_link_28)]
  return createHash('sha256')
    .update([row.day, row.gpu_name, ...figures, ...direct].join('|'))
    .digest('hex')
}
