import { measureAutopilot } from './autopilot.ts'
import { measureAdviceOnParts } from './income-by-terms.ts'
import { measureAdvice, seedsOfCommit } from './print-advice.ts'
import { measureRentalHours } from './rental-hours.ts'
import { measureReplay } from './replay.ts'
import { measureReturns } from './returns.ts'
import type { Size } from './simulated-market.ts'
import { measureWorth } from './worth.ts'

/** The options of the parts. */
export interface Settings extends Size {
  /** Repetitions of each request or page. */
  repeat: number
  /** Seconds of load. */
  seconds: number
  data?: string
}

/** A part of the benchmark. */
export interface Part {
  measures: string
  /** The options of the benchmark with their defaults. */
  usual: Partial<Settings>
  /** Measures and prints. The returned object is printed with --json. */
  run(settings: Settings): Promise<unknown>
}

/** Seeds of markets that are simulated alike in each run. */
export const seeds = [1, 2, 3, 4, 5]

/** The parts that simulate markets without databases. */
export const partsWithoutDatabases: Record<string, Part> = {
  advice: {
    measures:
      'how often advice on prices is given and how right it is, in 20 markets of known rates without databases',
    usual: { machines: 1000 },
    run: ({ machines }) => measureAdvice(seedsOfCommit(5), machines),
  },
  returns: {
    measures:
      'the ranking of what to buy and the intervals of the next 30 days, beside the 30 days that came, in five markets',
    usual: { machines: 2500 },
    run: ({ machines }) => measureReturns(seeds, machines),
  },
  worth: {
    measures:
      'how often planted premiums of specs and places are found, and others where none is planted, in markets without databases',
    usual: { machines: 2500, repeat: 100 },
    run: async ({ machines, repeat }) => measureWorth(repeat, machines),
  },
  hours: {
    measures:
      'how often planted hours of rentals are found, and others where none is planted, in markets without databases',
    usual: { machines: 2500, repeat: 4 },
    run: async ({ machines, repeat }) => measureRentalHours(repeat, machines),
  },
  'terms-advice': {
    measures:
      'how often parts of 1 are advised where renters pass by whole rigs and where the part makes no difference, in markets without databases',
    usual: { machines: 1500, repeat: 20 },
    run: async ({ machines, repeat }) => measureAdviceOnParts(repeat, machines),
  },
  autopilot: {
    measures:
      'what machines earn when a rule or a script sets their prices, and when prices are left alone, in ten markets without databases',
    usual: { machines: 1000 },
    run: ({ machines }) => measureAutopilot(seedsOfCommit(10), machines),
  },
  replay: {
    measures:
      'how many 80 % intervals of replays hold what the simulator gives, in five markets without databases',
    usual: { machines: 2500 },
    run: ({ machines }) => measureReplay(seeds, machines),
  },
}
