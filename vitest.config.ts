import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Two cores, one of which the engines want.
    maxWorkers: 2,
    projects: [
      { test: { name: 'pure', include: ['test/{pure,web}/**/*.test.ts'], testTimeout: 60_000 } },
      {
        test: {
          name: 'real',
          include: ['test/real/**/*.test.ts'],
          globalSetup: ['test/engines.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
