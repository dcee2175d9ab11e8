import { groupBy } from '../../platform/group-by.ts'
import type { MachineAtSlot } from './history.ts'

const day = 86_400

/** Incomes of a class of machines in the days before `to`, from the definition. */
export function earnedBy(seen: readonly MachineAtSlot[], { to, days }: { to: number; days: number }) {
  const inRange = seen.filter(({ slot }) => slot >= to - days * day && slot < to)
  const machines = [...groupBy(inRange, ({ machine }) => machine).values()].map((of) => {
    const sum = (value: (one: MachineAtSlot) => number) => of.reduce((total, one) => total + value(one), 0)
    const paid = sum(({ rented }) => rented.reduce((all, { gpus, price }) => all + gpus * price, 0))
    const held = sum(({ rented }) => rented.reduce((all, { gpus }) => all + gpus, 0))
    return { paid, held, gpus: sum(({ free }) => free) + held }
  })
  const total = (value: (one: (typeof machines)[number]) => number) =>
    machines.reduce((sum, one) => sum + value(one), 0)
  const gpus = total((one) => one.gpus)
  const income = total(({ paid }) => paid) / gpus
  // The linearized ratio: each machine's distance from the mean income, over all GPU-hours.
  const variance =
    (machines.length / (machines.length - 1)) * total((one) => ((one.paid - income * one.gpus) / gpus) ** 2)
  const sorted = machines.map((one) => [one.paid / one.gpus, one.gpus] as const).sort(([a], [b]) => a - b)
  const rank = (share: number) => {
    let weight = 0
    for (const [one, of] of sorted) {
      weight += of
      if (weight >= share * gpus - 1e-9) return 24 * one
    }
    return Number.NaN
  }
  return {
    machines: machines.length,
    income: 24 * income,
    error: 24 * Math.sqrt(variance),
    p25: rank(0.25),
    median: rank(0.5),
    p75: rank(0.75),
    occupancy: total(({ held }) => held) / gpus,
  }
}

/** The months of a class before `to`, oldest first: machines, mean income, and the variance of the mean over machines ÷ its square. */
export const monthsOf = (seen: readonly MachineAtSlot[], to: number) =>
  [60, 30, 0].map((age) => {
    const { machines, income, error } = earnedBy(seen, { to: to - age * day, days: 30 })
    return { machines, income: income / 24, spread: (error / income) ** 2 }
  })

/** The supply of a class: machines of the last 7 days, and of the 7 days that ended 30 days before. */
export function supplyOf(seen: readonly MachineAtSlot[], to: number) {
  const rigs = (from: number, until: number) =>
    new Map(
      seen
        .filter(({ slot }) => slot >= to + from * day && slot < to + until * day)
        .map(({ machine, rig }) => [machine, rig]),
    )
  const [before, now] = [rigs(-37, -30), rigs(-7, 0)]
  const gpus = (of: Map<number, number>) => [...of.values()].reduce((sum, rig) => sum + rig, 0)
  return {
    gpus: gpus(now),
    growth: gpus(before) > 0 ? gpus(now) / gpus(before) - 1 : null,
    arrived: [...now.keys()].filter((machine) => !before.has(machine)).length,
    left: [...before.keys()].filter((machine) => !now.has(machine)).length,
  }
}

/** Hours until the first rental of machines whose first day is at least 7 days after the first day of the market, in the last 83 days. */
export function waitsOf(seen: readonly MachineAtSlot[], { to, first }: { to: number; first: number }) {
  const known = seen.filter(({ slot }) => slot >= to - 90 * day && slot < to)
  return [...groupBy(known, ({ machine }) => machine).values()].flatMap((of) => {
    const slots = of.map(({ slot }) => slot)
    const began = Math.min(...slots)
    if (Math.floor(began / day) * day < Math.max(to - 83 * day, first + 7 * day)) return []
    const rented = of.filter((one) => one.rented.length > 0).map(({ slot }) => slot)
    return [
      {
        hours: ((rented.length > 0 ? Math.min(...rented) : Math.max(...slots)) - began) / 3600,
        happened: rented.length > 0,
      },
    ]
  })
}

/** The median of the plain product-limit estimate. */
export function medianOf(waits: readonly { hours: number; happened: boolean }[]): number | null {
  let share = 1
  for (const age of [...new Set(waits.map(({ hours }) => hours))].sort((a, b) => a - b)) {
    const atRisk = waits.filter(({ hours }) => hours >= age).length
    share *= 1 - waits.filter(({ hours, happened }) => hours === age && happened).length / atRisk
    if (share <= 0.5) return age
  }
  return null
}
