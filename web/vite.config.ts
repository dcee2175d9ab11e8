import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'

/** Of web/gpu and web/charts, without what draws, which is loaded beside it, and without what few visits need. */
const whatChartsNeed =
  /[\\/]web[\\/](gpu[\\/](?!no-data|range-form|options-panel)|charts[\\/](?!export|draw|paint|touch|table))/

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
        // What every visit loads is in two files: many small ones compress worse.
        codeSplitting: {
          groups: [
            { name: 'base', tags: ['$initial'], priority: 1 },
            { name: 'charts', test: whatChartsNeed },
          ],
        },
      },
    },
  },
  plugins: [compression({ algorithms: ['gzip', 'brotliCompress'], include: /\.(js|css|html|svg)$/ })],
  // `npx vite web` beside a running service.
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
})
