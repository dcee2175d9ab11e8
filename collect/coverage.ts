import type { Fields } from '../import/record.ts'
import { cellsByName, keyOf, type Picture } from './sweep.ts'

/** A machine in a random sample of the market. */
export interface SampledMachine {
  machine: string
  gpu_name: string
}

/** The share of a market that a slot has, with its 95 % interval. */
export interface Share {
  share: number
  low: number
  high: number
  /** Machines of random samples, and how many of them were known. */
  sampled: number
  known: number
}

/** The view of a GPU name in a slot. */
export interface NameCoverage extends Share {
  machines: number
  /** The number of machines that were not seen in this slot. The slot has them as they were last seen. */
  carried: number
  /** Seconds since the oldest part of the picture was seen. null: parts were never seen. */
  age: number | null
}

/** Coverage of a slot. Its states count the offers by `rentable` and `rented`. */
export interface Coverage extends Omit<NameCoverage, 'age'> {
  /** `one answer`: the search answers with all offers. `repeats`: estimated by machines of random samples that were known (Lincoln–Petersen). */
  method: 'one answer' | 'repeats'
  /** Seconds since the oldest part of the picture was seen; null: parts of the market were never seen. */
  age: number | null
  /** Searches that were sent. */
  calls: number
  /** Why the sweep of this slot ended early; null: it did not. */
  problem: string | null
  states: Record<string, number>
  names: Record<string, NameCoverage>
}

/** 97.5 % of a normal distribution. */
const z = 1.959964

/** Wilson's interval of the share of samples that were known. Without a sample nothing is known about the share. */
export function shareOf(known: number, sampled: number): Share {
  if (sampled === 0) return { share: 0, low: 0, high: 1, sampled, known }
  const share = known / sampled
  const spread = z * Math.sqrt((share * (1 - share)) / sampled + z ** 2 / (4 * sampled ** 2))
  const [middle, scale] = [share + z ** 2 / (2 * sampled), 1 + z ** 2 / sampled]
  return {
    share,
    low: Math.max(0, (middle - spread) / scale),
    high: Math.min(1, (middle + spread) / scale),
    sampled,
    known,
  }
}

/** Counts offers by the values of `rentable` and `rented`. */
export function countStates(offers: Iterable<Fields>): Record<string, number> {
  const states: Record<string, number> = {}
  for (const { rentable, rented } of offers) {
    const state = `rentable ${wordOf(rentable)}, rented ${wordOf(rented)}`
    states[state] = (states[state] ?? 0) + 1
  }
  return states
}

const wordOf = (value: unknown) => (typeof value === 'boolean' ? String(value) : 'missing')

/** Machines of random samples, and how many of them the slot has, by GPU name. */
export function coverageByName(
  { cells, machines }: Picture,
  samples: readonly SampledMachine[],
  slot: number,
): Map<string, Share & { age: number | null }> {
  const byName = new Map<string, { sampled: number; known: number }>()
  for (const { machine, gpu_name } of samples) {
    const { sampled = 0, known = 0 } = byName.get(gpu_name) ?? {}
    byName.set(gpu_name, { sampled: sampled + 1, known: known + Number(machines.has(machine)) })
  }
  const ages = new Map<string, number | null>()
  for (const [name, of] of cellsByName(cells))
    ages.set(
      name,
      ageOf(
        of.map(({ asked }) => asked),
        slot,
      ),
    )
  return new Map(
    [...new Set([...ages.keys(), ...byName.keys()])].map((name) => {
      const { sampled, known } = byName.get(name) ?? { sampled: 0, known: 0 }
      return [name, { ...shareOf(known, sampled), age: ages.get(name) ?? null }]
    }),
  )
}

/** The age of a picture whose parts were seen at these slots. 0 stands for never. */
const ageOf = (slots: readonly number[], slot: number): number | null =>
  slots.includes(0) || slots.length === 0 ? null : Math.max(0, slot - Math.min(...slots))

/** The machines of a random sample. The offer of all GPUs counts: a machine has one, and may have many others. */
export const sampleOf = (offers: readonly Fields[]): SampledMachine[] =>
  offers
    .filter(({ gpu_frac }) => Number(gpu_frac) === 1)
    .map(({ machine_id, gpu_name }) => ({
      machine: keyOf(machine_id),
      gpu_name: typeof gpu_name === 'string' ? gpu_name : '',
    }))
