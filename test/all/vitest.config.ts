import { defineConfig } from 'vitest/config'
import { inBrowser, onEngines, settings } from '../settings.ts'

/** The series, on two servers that are the shards of a cluster. */
const spread = [
  'test/all/cluster/**/*.test.ts',
  'test/real/{history-contract,history-property,machines,market-property,migrate,retention,import,simulate,thin,truth}.test.ts',
  'test/all/kills/{crash,stopped-history}.test.ts',
  'test/all/real/restore.test.ts',
]

/** The projects that `npm run test:all` runs after `npm test`. Each can be run alone. */
export default defineConfig({
  test: {
    ...settings,
    projects: [
      { extends: true, test: { ...onEngines, name: 'real', include: ['test/all/real/**/*.test.ts'] } },
      { extends: true, test: { ...inBrowser, name: 'browser', include: ['test/all/browser/**/*.test.ts'] } },
      { extends: true, test: { ...onEngines, name: 'kills', include: ['test/all/kills/**/*.test.ts'] } },
      { extends: true, test: { ...onEngines, name: 'cluster', include: spread } },
      // The shipped images, on a Docker engine. The tests start engines in containers themselves.
      {
        extends: true,
        test: {
          name: 'containers',
          include: ['test/all/containers/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 900_000,
          hookTimeout: 900_000,
        },
      },
      // Simulation, fuzzing, kills at random and full disks: docs/reliability.md.
      { extends: true, test: { name: 'fire', include: ['test/all/fire/**/*.test.ts'], isolate: true } },
    ],
  },
})
