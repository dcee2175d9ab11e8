import type { Verdict } from '../../contract/advice-kinds.ts'
import { day } from '../../contract/durations.ts'
import type { OwnFigures } from '../../contract/machines.ts'
import { classKey, filterOf, type MachineClass } from '../../contract/market-filter.ts'
import type { OwnMachine } from '../api/queries.ts'
import type { Value } from '../charts/spec.ts'
import type { View } from '../view.ts'
import { type Attention, attentionOf, type Look } from './attention.ts'
import { type ReallyEarned, reallyEarned } from './really-earned.ts'

type CompSetReason = NonNullable<OwnFigures['comp_set']['reason']>

/** One own machine, or all of one class, as a row of the fleet. */
export interface FleetRow extends MachineClass {
  key: string
  machines: readonly OwnMachine[]
  gpu_name: string
  gpus: number
  /** null: the source does not show rentals. */
  rented: Value
  /** Listed prices, ascending, USD per GPU-hour. */
  prices: readonly number[]
  /** Over 1, 7 and 30 days: share of 1, and USD. null: the source does not show rentals. */
  occupancy: readonly [Value, Value, Value]
  income: readonly [Value, Value, Value]
  /** The earnings reported by the marketplace; null: none are known. */
  told: ReallyEarned | null
  /** The start of its idle time, unix seconds; of a class the earliest; null: not idle. */
  idleSince: number | null
  idle: number
  /** Revenue per GPU in percent of the revenue of similar machines, or the reason why it is unknown. */
  rgi: Value
  noRgi: CompSetReason | null
  /** The advice on the price; of a class, if all machines have the same. */
  verdict: Verdict
  /** The machines' troubles, the costliest first. */
  attention: readonly Attention[]
  /** The loss by these troubles in USD a day; null: none, or unknown. */
  cost: Value
  /** Net USD per day after known costs (null: unknown), and the number of machines with known costs. */
  net: Value
  netOf: number
  /** Seconds of the last 30 days with observations; of a class the most. */
  covered: number
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** The sum of the known values; null: none is known. */
function sumKnown(values: readonly Value[]): Value {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : sum(known)
}

const coveredBy = ({ figures }: OwnMachine): number => figures?.covered_seconds['30d'] ?? 0

/** The mean of known values, weighted by GPUs. Machines seen for less than a day are left out. */
function meanOf(machines: readonly OwnMachine[], of: (machine: OwnMachine) => Value | undefined): Value {
  const known = machines.flatMap((machine) => {
    const value = coveredBy(machine) < day ? null : (of(machine) ?? null)
    return value === null ? [] : [{ value, gpus: machine.num_gpus }]
  })
  const gpus = sum(known.map((one) => one.gpus))
  return gpus === 0 ? null : sum(known.map((one) => one.value * one.gpus)) / gpus
}

const verdictOf = ({ figures }: OwnMachine): Verdict => figures?.advice.verdict ?? 'unknown'

/** Machines of one class as one row. */
export function rowOf(key: string, machines: readonly [OwnMachine, ...OwnMachine[]], look: Look): FleetRow {
  const [first] = machines
  const idleSince = machines.flatMap(({ figures }) => figures?.idle_since ?? [])
  const attention = machines
    .flatMap((machine) => attentionOf(machine, look) ?? [])
    .sort((one, other) => (other.aDay ?? 0) - (one.aDay ?? 0))
  const costs = attention.flatMap(({ aDay }) => aDay ?? [])
  const nets = machines.flatMap(({ figures }) => figures?.net?.value ?? [])
  const verdicts = machines.map(verdictOf)
  const rgi = meanOf(machines, ({ figures }) => figures?.comp_set.rgi)
  const reason = first.figures?.comp_set.reason
  return {
    key,
    machines,
    gpu_name: first.gpu_name,
    ...filterOf(first),
    gpus: sum(machines.map((machine) => machine.num_gpus)),
    rented: sumKnown(machines.map((machine) => machine.rented_gpus)),
    prices: machines.flatMap(({ price }) => price ?? []).sort((one, other) => one - other),
    occupancy: [
      meanOf(machines, ({ figures }) => figures?.occupancy_1d),
      meanOf(machines, ({ figures }) => figures?.occupancy_7d),
      meanOf(machines, ({ figures }) => figures?.occupancy_30d),
    ],
    income: [
      sumKnown(machines.map(({ figures }) => (figures ? figures.income_1d : 0))),
      sumKnown(machines.map(({ figures }) => (figures ? figures.income_7d : 0))),
      sumKnown(machines.map(({ figures }) => (figures ? figures.income_30d : 0))),
    ],
    told: reallyEarned(machines),
    idleSince: idleSince.length > 0 ? Math.min(...idleSince) : null,
    idle: idleSince.length,
    rgi,
    noRgi: rgi === null && reason ? reason : null,
    verdict: new Set(verdicts).size === 1 ? verdictOf(first) : 'unknown',
    attention,
    cost: costs.length > 0 ? sum(costs) : null,
    net: nets.length > 0 ? sum(nets) : null,
    netOf: nets.length,
    covered: Math.max(...machines.map(coveredBy)),
  }
}

const passes: Record<View['show'], (machine: OwnMachine, look: Look) => boolean> = {
  all: () => true,
  attention: (machine, look) => attentionOf(machine, look) !== null,
  offline: ({ online }) => !online,
  idle: ({ figures, rented_gpus, online }) => online && rented_gpus === 0 && figures?.idle_since !== null,
  rented: ({ rented_gpus }) => (rented_gpus ?? 0) > 0,
  dear: (machine) => verdictOf(machine) === 'lower',
  cheap: (machine) => verdictOf(machine) === 'raise',
  unlisted: ({ price }) => price === null,
}

/** The machines of a kind whose GPU name contains a text, or whose id it is. */
export function machinesFound(
  machines: readonly OwnMachine[],
  { find, show }: Pick<View, 'find' | 'show'>,
  look: Look,
): OwnMachine[] {
  const wanted = find.trim().toLowerCase()
  return machines.filter(
    (machine) =>
      passes[show](machine, look) &&
      (machine.gpu_name.toLowerCase().includes(wanted) || String(machine.id) === wanted),
  )
}

const classOf = (machine: OwnMachine): string => `${machine.gpu_name} ${classKey(machine)}`

/** A row for each machine, or for each class. */
export function rowsOf(machines: readonly OwnMachine[], rows: View['rows'], look: Look): FleetRow[] {
  if (rows === 'machines') return machines.map((machine) => rowOf(String(machine.id), [machine], look))
  const classes = new Map<string, [OwnMachine, ...OwnMachine[]]>()
  for (const machine of machines) {
    const key = classOf(machine)
    const others = classes.get(key)
    if (others) others.push(machine)
    else classes.set(key, [machine])
  }
  return [...classes].map(([key, of]) => rowOf(key, of, look))
}
