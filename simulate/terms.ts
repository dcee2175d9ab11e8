import { day, hour } from '../contract/durations.ts'
import type { TermName } from '../contract/listing-terms.ts'
import type { SpecName } from '../contract/spec-names.ts'
import { specsText } from '../contract/specs-text.ts'
import { termsText } from '../contract/terms-text.ts'
import type { SimulatedMachine } from './market.ts'
import { exponential, pick, seededFor } from './random.ts'
import { type SpecifiedMachine, simulatedSpecs } from './specs.ts'

/** The terms and the specs of the machines of a simulated market, drawn from the machine and the time alone, so they are not stored. */
export interface SimulatedTerms {
  /** The number of changes of a machine's terms so far. Its specs change at the same times. */
  eraOf(id: number, time: number): number
  at(machine: Pick<SimulatedMachine, 'id' | 'type'>, time: number): Record<TermName, number>
  /** The terms in the form of observations. */
  textAt(machine: Pick<SimulatedMachine, 'id' | 'type'>, time: number): string
  specsAt(machine: SpecifiedMachine, time: number): Record<SpecName, number | string | boolean>
  specsTextAt(machine: SpecifiedMachine, time: number): string
}

/** The permanent decisions of a machine's host. */
interface Habits {
  /** Seconds between two changes, and their offset. */
  length: number
  phase: number
  unreliable: number
  fixed: Pick<Record<TermName, number>, 'storage_cost' | 'inet_up_cost' | 'inet_down_cost'>
}

/** A host reviews the terms every 5 to 25 days, and then extends the listing. Prices of storage and traffic never change. */
export function openTerms(seed: number): SimulatedTerms {
  const known = new Map<number, Habits>()
  const habitsOf = (id: number): Habits => {
    const found = known.get(id)
    if (found) return found
    const random = seededFor(seed + 4, id)
    const length = Math.round((5 + 20 * random()) * day)
    const traffic = pick(random, [0, 0.001, 0.002, 0.005, 0.01, 0.02])
    const habits = {
      length,
      phase: Math.floor(length * random()),
      unreliable: exponential(random, 0.006),
      fixed: {
        storage_cost: pick(random, [0.1, 0.133333333, 0.15, 0.2, 0.2, 0.3]),
        inet_up_cost: traffic,
        inet_down_cost: random() < 0.7 ? traffic : 0,
      },
    }
    known.set(id, habits)
    return habits
  }
  const eraOf = (id: number, time: number): number => {
    const { length, phase } = habitsOf(id)
    return Math.floor((time + phase) / length)
  }
  const at: SimulatedTerms['at'] = ({ id, type }, time) => {
    const { length, phase, unreliable, fixed } = habitsOf(id)
    const era = eraOf(id, time)
    const random = seededFor(seed + 5 + id, era)
    const renewed = (era + 1) * length - phase
    return {
      min_bid: decimal(type.price * (0.35 + 0.3 * random()), 3),
      end_date: hour * Math.ceil((renewed + (1 + 60 * random()) * day) / hour),
      credit_discount_max: pick(random, [0, 0, 0.1, 0.2, 0.25, 0.4]),
      reliability: decimal(Math.max(0.6, 1 - unreliable * (0.7 + 0.6 * random())), 5),
      ...fixed,
    }
  }
  const specsAt: SimulatedTerms['specsAt'] = (machine, time) =>
    simulatedSpecs(seed, machine, eraOf(machine.id, time))
  return {
    eraOf,
    at,
    textAt: (machine, time) => termsText(at(machine, time)),
    specsAt,
    specsTextAt: (machine, time) => specsText(specsAt(machine, time)),
  }
}

const decimal = (figure: number, digits: number): number => Number(figure.toFixed(digits))
