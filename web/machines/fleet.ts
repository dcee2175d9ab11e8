import type { OwnFigures } from '../../contract/machines.ts'
import type { OwnMachine } from '../api/queries.ts'
import type { Value } from '../charts/spec.ts'
import { type Judgement, judge } from '../desk/outlook.ts'
import type { View } from '../view.ts'

type CompSetReason = NonNullable<OwnFigures['comp_set']['reason']>

/** One own machine, or all of one class, as a row of the fleet. */
export interface FleetRow {
  key: string
  machines: readonly OwnMachine[]
  /** What all of them have in common. */
  gpu_name: string
  num_gpus: number
  verified: boolean
  hosting_type: string
  gpus: number
  rented: number
  /** Listed prices, ascending, USD per GPU-hour. */
  prices: readonly number[]
  /** Over 1, 7 and 30 days: share of 1, and USD. */
  occupancy: readonly [Value, Value, Value]
  income: readonly [number, number, number]
  /** Since when it has been idle, the longest of a class; null: none is. Unix seconds. */
  idleSince: number | null
  idle: number
  /** Revenue per GPU in percent of that of machines like it; or why it is not known. */
  rgi: Value
  noRgi: CompSetReason | null
  judgement: Judgement
  /** USD a day that it should earn more at its best price; null: not known. */
  gain: Value
  best: Value
  /** How many of them are too dear or too cheap. */
  mispriced: number
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** The mean of what is known, weighted by GPUs. */
function meanOf(machines: readonly OwnMachine[], of: (machine: OwnMachine) => Value | undefined): Value {
  const known = machines.flatMap((machine) => {
    const value = of(machine) ?? null
    return value === null ? [] : [{ value, gpus: machine.num_gpus }]
  })
  const gpus = sum(known.map((one) => one.gpus))
  return gpus === 0 ? null : sum(known.map((one) => one.value * one.gpus)) / gpus
}

const judgementOf = ({ price, figures }: OwnMachine): Judgement =>
  judge(price, figures?.income ?? null, figures?.best_price ?? null)

/** What a machine should earn more in a day at its best price; null: not known. */
function gainOf(machine: OwnMachine): Value {
  const judgement = judgementOf(machine)
  if (judgement === 'unknown') return null
  const { income, best_price } = machine.figures ?? {}
  return judgement === 'good' ? 0 : ((best_price?.income?.value ?? 0) - (income?.value ?? 0)) / 30
}

/** Machines of one class as one row. */
export function rowOf(key: string, machines: readonly [OwnMachine, ...OwnMachine[]]): FleetRow {
  const [first] = machines
  const { gpu_name, num_gpus, verified, hosting_type } = first
  const idleSince = machines.flatMap(({ figures }) => figures?.idle_since ?? [])
  const gains = machines.flatMap((machine) => gainOf(machine) ?? [])
  const judgements = machines.map(judgementOf)
  const rgi = meanOf(machines, ({ figures }) => figures?.comp_set.rgi)
  const reason = first.figures?.comp_set.reason
  return {
    ...{ key, machines, gpu_name, num_gpus, verified, hosting_type },
    gpus: sum(machines.map((machine) => machine.num_gpus)),
    rented: sum(machines.map((machine) => machine.rented_gpus)),
    prices: machines.flatMap(({ price }) => price ?? []).sort((one, other) => one - other),
    occupancy: [
      meanOf(machines, ({ figures }) => figures?.occupancy_1d),
      meanOf(machines, ({ figures }) => figures?.occupancy_7d),
      meanOf(machines, ({ figures }) => figures?.occupancy_30d),
    ],
    income: [
      sum(machines.map(({ figures }) => figures?.income_1d ?? 0)),
      sum(machines.map(({ figures }) => figures?.income_7d ?? 0)),
      sum(machines.map(({ figures }) => figures?.income_30d ?? 0)),
    ],
    idleSince: idleSince.length > 0 ? Math.min(...idleSince) : null,
    idle: idleSince.length,
    rgi,
    noRgi: rgi === null && reason ? reason : null,
    judgement: new Set(judgements).size === 1 ? judgementOf(first) : 'unknown',
    mispriced: judgements.filter((one) => one === 'dear' || one === 'cheap').length,
    gain: gains.length > 0 ? sum(gains) : null,
    best: first.figures?.best_price?.price ?? null,
  }
}

const passes: Record<View['show'], (machine: OwnMachine) => boolean> = {
  all: () => true,
  idle: ({ figures, rented_gpus, online }) => online && rented_gpus === 0 && figures?.idle_since !== null,
  rented: ({ rented_gpus }) => rented_gpus > 0,
  dear: (machine) => judgementOf(machine) === 'dear',
  cheap: (machine) => judgementOf(machine) === 'cheap',
  unlisted: ({ price }) => price === null,
}

/** The machines of a kind whose GPU name contains a text, or whose id it is. */
export function machinesFound(
  machines: readonly OwnMachine[],
  { find, show }: Pick<View, 'find' | 'show'>,
): OwnMachine[] {
  const wanted = find.trim().toLowerCase()
  return machines.filter(
    (machine) =>
      passes[show](machine) &&
      (machine.gpu_name.toLowerCase().includes(wanted) || String(machine.id) === wanted),
  )
}

const classOf = ({ gpu_name, num_gpus, verified, hosting_type }: OwnMachine): string =>
  [gpu_name, num_gpus, verified, hosting_type].join()

/** A row for each machine, or for each class. */
export function rowsOf(machines: readonly OwnMachine[], rows: View['rows']): FleetRow[] {
  if (rows === 'machines') return machines.map((machine) => rowOf(String(machine.id), [machine]))
  const classes = new Map<string, [OwnMachine, ...OwnMachine[]]>()
  for (const machine of machines) {
    const key = classOf(machine)
    const others = classes.get(key)
    if (others) others.push(machine)
    else classes.set(key, [machine])
  }
  return [...classes].map(([key, of]) => rowOf(key, of))
}
