import { defineConfig } from 'vitest/config'
import { inBrowser, onEngines, settings } from './test/settings.ts'

/** What `npm test` runs: every behaviour once. The other tests are in test/all/. */
export default defineConfig({
  test: {
    ...settings,
    projects: [
      {
        extends: true,
        test: { name: 'pure', include: ['test/{pure,web}/**/*.test.ts'], testTimeout: 60_000 },
      },
      { extends: true, test: { ...onEngines, name: 'real', include: ['test/real/**/*.test.ts'] } },
      { extends: true, test: { ...inBrowser, name: 'browser', include: ['test/browser/**/*.test.ts'] } },
    ],
  },
})
