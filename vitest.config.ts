import { defineConfig } from 'vitest/config'

const real = { globalSetup: ['test/engines.ts'], testTimeout: 60_000, hookTimeout: 120_000 }
const spread = ['history-contract', 'history-property', 'machines', 'import', 'simulate', 'crash', 'truth']

export default defineConfig({
  test: {
    // Two cores, one of which the engines want.
    maxWorkers: 2,
    projects: [
      { test: { name: 'pure', include: ['test/{pure,web}/**/*.test.ts'] } },
      { test: { ...real, name: 'real', include: ['test/real/**/*.test.ts'] } },
      // The series again, on two servers that are the shards of a cluster.
      { test: { ...real, name: 'cluster', include: [`test/real/{${spread.join()}}.test.ts`] } },
    ],
  },
})
