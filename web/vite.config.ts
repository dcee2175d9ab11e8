import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'
import { pageDocuments } from './page-documents.ts'
import { worldMap } from './world-map.ts'

/** The modules that every page needs, and the parts that most pages share, with all of their imports. */
const whatPagesShare =
  /[\\/](web[\\/](main|components[\\/](sparkline|change|status|buttons|no-snapshots|dropdown|copy-text|page-head)[\w-]*|api[\\/]memory)|contract[\\/](gpu-colors|gpu-names|ladder)|estimates[\\/]host-price)\.tsx?$/

/** The modules of web/gpu and web/charts, except the drawing code, which is loaded in parallel, and except the parts that few visits need. */
const whatChartsNeed =
  /[\\/]web[\\/](gpu[\\/](?!focus-figures|own-prices|no-data|shared-of|event-marks|official-past|join-past|wanted-|book-answers|small-charts|forecast|range-form|gpu-options|options-panel|book-charts|book\.|heat-map|duration-curve|revenue)|charts[\\/](?!export|actions|draw|ends|paint|mark-rows|touch|table|tip|own-zoom|cells|periods))/

/**
 * uPlot creates a number format and reads the time zone when it is loaded. As the first use of Intl this takes a browser 25 to 60 ms, before
 * the first chart is drawn. The charts write their own numbers, and times in the zone of the browser or in UTC, for which uPlot needs neither.
 */
const uplotWithoutIntl = {
  name: 'uplot-without-intl',
  transform: {
    filter: { id: /uPlot\.esm\.js$/ },
    handler(this: { error(text: string): never }, code: string): string {
      const without = [
        ["new Intl.NumberFormat(domEnv ? nav.language : 'en-US')", '{ format: String }'],
        ['new Intl.DateTimeFormat().resolvedOptions().timeZone', "''"],
      ] as const
      return without.reduce((text, [made, instead]) => {
        if (!text.includes(made)) this.error(`uPlot does not have this any more: ${made}`)
        return text.replace(made, instead)
      }, code)
    },
  },
}

/** Small parts of several pages. */
const whatPagesOftenNeed =
  /[\\/]web[\\/]components[\\/](term|failure|copy-button)\.tsx?$|[\\/]contract[\\/]gpu-types\.ts$/
/** Small parts of pages with long tables. */
const whatTablesShare = /[\\/]web[\\/](components[\\/](sorting|sort-head)|api[\\/]list-prices|files)\.tsx?$/

/** Modules loaded after the charts are drawn. */
const whatFollowsTheCharts =
  /[\\/]web[\\/](gpu[\\/](own-prices|event-marks|wanted-fields|wanted-form|wanted-answer|book-answers)|components[\\/]typed-number)\.tsx?$/

/** Modules of the frame, loaded after the first figures. */
const whatFollowsTheFigures = /[\\/]web[\\/](components[\\/]source-switch|api[\\/]live)\.tsx?$/

/** Modules loaded together, see web/gpu/parts.ts. */
const whatFewVisitsNeed =
  /[\\/]web[\\/](gpu[\\/](range-form|gpu-options|options-panel|small-charts)|charts[\\/](table|touch|tip))\.tsx?$/

export default defineConfig({
  root: import.meta.dirname,
  base: './', // every address is relative, so the page works behind any path
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700, // the SQL console with its editor, which only admins load
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The code that every visit loads is in two files: many small files compress worse.
        codeSplitting: {
          groups: [
            { name: 'base', test: whatPagesShare, priority: 2 },
            { name: 'charts', test: whatChartsNeed },
            { name: 'once-drawn', test: whatFollowsTheCharts, priority: 1 },
            { name: 'frame', test: whatFollowsTheFigures, priority: 1 },
            { name: 'rules', test: /[\\/]web[\\/](alerts|autopilot)[\\/]api\.ts$/, priority: 1 },
            { name: 'parts', test: whatFewVisitsNeed },
            { name: 'filters', test: /[\\/]components[\\/](machine-filters|select)\.tsx$/, priority: 1 },
            { name: 'tables', test: whatTablesShare, priority: 1 },
            { name: 'small', test: whatPagesOftenNeed, priority: 1 },
          ],
        },
      },
    },
  },
  plugins: [
    uplotWithoutIntl,
    worldMap,
    pageDocuments(),
    // A smaller file fits into one packet as it is.
    compression({ algorithms: ['gzip', 'brotliCompress'], include: /\.(js|css|html|svg)$/, threshold: 512 }),
  ],
  // `npx vite web` beside a running service. web/api/ is a folder of the page.
  server: { proxy: { '/api/v0': 'http://127.0.0.1:8080' } },
})
