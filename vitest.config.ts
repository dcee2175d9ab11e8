import { defineConfig } from 'vitest/config'

const real = {
  globalSetup: ['test/engines.ts'],
  // A busy machine takes its time. These end what hangs, and a poll ends as soon as it holds.
  testTimeout: 600_000 * Number(process.env.PROPERTY_RUNS ?? 1),
  hookTimeout: 600_000,
  expect: { poll: { timeout: 120_000 } },
}
const spread = [
  'cluster',
  'history-contract',
  'history-property',
  'machines',
  'market-property',
  'migrate',
  'retention',
]
// Some five minutes more.
if (process.env.RACKRATE_TEST_CLUSTER === 'all')
  spread.push('crash', 'import', 'restore', 'simulate', 'truth')

export default defineConfig({
  test: {
    // Two cores, one of which the engines want.
    maxWorkers: 2,
    projects: [
      { test: { name: 'pure', include: ['test/{pure,web}/**/*.test.ts'], testTimeout: 60_000 } },
      // Simulation, kills and fuzzing: docs/reliability.md.
      { test: { name: 'fire', include: ['test/fire/**/*.test.ts'] } },
      {
        test: {
          ...real,
          name: 'real',
          include: ['test/real/**/*.test.ts'],
          exclude: ['test/real/cluster.test.ts'],
        },
      },
      // The series again, on two servers that are the shards of a cluster.
      { test: { ...real, name: 'cluster', include: [`test/real/{${spread.join()}}.test.ts`] } },
    ],
  },
})
