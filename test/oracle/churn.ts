import type { GpuChurn, Life } from '../../contract/churn.ts'
import type { MachineAtSlot } from './history.ts'

const day = 86_400
const dayOf = (slot: number) => Math.floor(slot / day) * day

/** The arrivals and departures of a GPU name's machines, day by day of [from, to). Every day with a slot is published. */
export function expectedChurn(
  seen: readonly MachineAtSlot[],
  gpu: string,
  { from, to }: { from: number; to: number },
): GpuChurn {
  const marketDays = new Set(seen.map(({ slot }) => dayOf(slot)))
  const daysOf = new Map<string, { rig: number; days: Set<number> }>()
  for (const one of seen) {
    if (one.gpu !== gpu || (one.free === 0 && one.rented.length === 0)) continue
    const key = `${one.machine} ${one.rig}`
    const machine = daysOf.get(key) ?? { rig: one.rig, days: new Set() }
    daysOf.set(key, { ...machine, days: machine.days.add(dayOf(one.slot)) })
  }
  const week = (start: number, side: number) =>
    Array.from({ length: 7 }, (_, index) => start + side * (index + 1) * day)
  const isKnown = (start: number, side: number) => week(start, side).every((other) => marketDays.has(other))
  const isEdge = (days: ReadonlySet<number>, start: number, side: number) =>
    days.has(start) && !week(start, side).some((other) => days.has(other))
  const machines = [...daysOf.values()]
  const timestamps = [...marketDays].filter((start) => start >= from && start < to).sort((a, b) => a - b)
  const count = (weight: (rig: number) => number, pass: (days: Set<number>, start: number) => boolean) =>
    timestamps.map((start) =>
      machines.reduce((sum, { rig, days }) => sum + (pass(days, start) ? weight(rig) : 0), 0),
    )
  const edges = (weight: (rig: number) => number, side: number) =>
    count(weight, (days, start) => isEdge(days, start, side)).map((value, index) =>
      isKnown(timestamps[index] ?? 0, side) ? value : null,
    )
  const [one, all] = [() => 1, (rig: number) => rig]

  const stays: Stay[] = []
  for (const { days } of machines)
    for (const began of days) {
      if (!isEdge(days, began, -1) || !isKnown(began, -1)) continue
      let ended = began
      while (!isEdge(days, ended, 1)) ended = Math.min(...[...days].filter((other) => other > ended))
      if (began >= to || ended < from) continue
      const last = Math.min(ended, to - day)
      stays.push({
        entry: Math.max(0, from - began) / day,
        exit: (last - began) / day + 1,
        left: ended < to && isKnown(ended, 1),
      })
    }
  return {
    timestamps,
    machines: count(one, (days, start) => days.has(start)),
    gpus: count(all, (days, start) => days.has(start)),
    arrived: edges(one, -1),
    arrived_gpus: edges(all, -1),
    left: edges(one, 1),
    left_gpus: edges(all, 1),
    life: expectedLife(stays),
  }
}

interface Stay {
  entry: number
  exit: number
  left: boolean
}

function expectedLife(stays: readonly Stay[]): Life {
  const days = [...new Set(stays.filter(({ left }) => left).map(({ exit }) => exit))].sort((a, b) => a - b)
  const points = days.map((age) => {
    const upTo = days.filter((other) => other <= age)
    const factors = upTo.map((other) => {
      const n = stays.filter(({ entry, exit }) => entry < other && exit >= other).length
      const d = stays.filter(({ exit, left }) => left && exit === other).length
      return { n, d }
    })
    const share = factors.reduce((product, { n, d }) => product * (1 - d / n), 1)
    const variance = factors.reduce((sum, { n, d }) => sum + (d < n ? d / (n * (n - d)) : 0), 0)
    return { share, width: 1.96 * share * Math.sqrt(variance) }
  })
  return {
    machines: stays.length,
    left: stays.filter(({ left }) => left).length,
    median_days: days[points.findIndex(({ share }) => share <= 0.5)] ?? null,
    days,
    share: points.map(({ share }) => share),
    low: points.map(({ share, width }) => Math.max(0, share - width)),
    high: points.map(({ share, width }) => Math.min(1, share + width)),
  }
}
