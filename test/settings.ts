import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { TestUserConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = new URL('..', import.meta.url).pathname

/** Seconds of each file in an earlier run: `npm run test:timings` writes them. */
const seconds: Record<string, number> = JSON.parse(readFileSync(`${root}test/timings.json`, 'utf8'))

/**
 * Longest files first, so that no worker is left alone with one. A file without a known time comes before them. One of the browser comes
 * before all: it fills the simulated market, which takes a minute and which all others of the browser would wait for. In a random order
 * when `--sequence.seed` is given.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence
    const shuffled = ({ moduleId }: TestSpecification) =>
      createHash('sha256').update(`${seed} ${moduleId}`).digest('hex')
    if (seed !== undefined)
      return [...files].sort((one, other) => shuffled(one).localeCompare(shuffled(other)))
    const lengthOf = ({ moduleId }: TestSpecification) =>
      seconds[relative(root, moduleId)] ?? Number.POSITIVE_INFINITY
    const projects = [...new Set(files.map(({ project }) => project.name))]
    const sorted = [...files].sort((one, other) => lengthOf(other) - lengthOf(one))
    const filling = sorted.find(({ project }) => project.name === 'browser')
    // A worker can only be used again for the same project.
    const others = projects
      .toSorted((one, other) => Number(one === 'browser') - Number(other === 'browser'))
      .flatMap((name) => sorted.filter((file) => file.project.name === name && file !== filling))
    return filling ? [filling, ...others] : others
  }
}

/** Settings of all tests. */
export const settings = {
  root,
  // One of two cores is for the engines.
  maxWorkers: 2,
  // A worker loads the modules of the service once: loading them takes longer than most files do.
  isolate: false,
  sequence: { sequencer: LongestFirst },
  // Only tests that are slow for this suite are printed by name.
  slowTestThreshold: 5_000,
} satisfies TestUserConfig

/** Settings of tests on databases. */
export const onEngines = {
  globalSetup: ['test/engines.ts'],
  // Time limits are long because a machine may be busy. They only end hanging tests; a poll ends as soon as it holds.
  testTimeout: 600_000 * Number(process.env.PROPERTY_RUNS ?? 1),
  hookTimeout: 600_000,
  expect: { poll: { timeout: 120_000 } },
} satisfies TestUserConfig

export const movedClock = new URL('./moved-clock.mjs', import.meta.url).href

/**
 * Settings of tests in a browser. The simulated market is a function of the time, so all of them begin at one time: pages are
 * then the same in each run. The time is far ahead, so that no server, which has the clock of the machine, takes its data for
 * old.
 */
export const inBrowser = {
  ...onEngines,
  execArgv: [`--import=${movedClock}`],
  env: { TEST_CLOCK_AT: process.env.TEST_CLOCK_AT ?? String(Date.UTC(2031, 4, 14, 12, 2) / 1000) },
} satisfies TestUserConfig
