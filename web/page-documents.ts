import type { Plugin, Rolldown } from 'vite'
import type { pages } from '../contract/pages.ts'

/** The modules that render the first view of each page. */
const modulesOf: Record<keyof typeof pages, readonly string[]> = {
  today: ['today/page.tsx'],
  market: ['market/page.tsx'],
  charts: ['gpu/page.tsx', 'charts/draw.ts'],
  where: ['where/page.tsx', 'where/maps.tsx'],
  build: ['build/page.tsx'],
  machines: ['machines/page.tsx'],
  alerts: ['alerts/page.tsx'],
  autopilot: ['autopilot/page.tsx'],
  price: ['desk/page.tsx', 'charts/draw.ts'],
  costs: ['costs/page.tsx'],
  history: ['autopilot/history-page.tsx'],
  elsewhere: ['elsewhere/page.tsx'],
  sql: ['sql/page.tsx'],
  dashboards: ['sql/dashboards/page.tsx'],
  recording: ['today/recording/page.tsx'],
  docs: ['reference/page.tsx'],
}

/**
 * Writes a document for each page, NAME.html. It is index.html with links to the page's own files, so that they are loaded together with the base
 * files, not after them. Styles are only preloaded: the first script would wait for a style sheet, and the page's script applies them.
 */
export function pageDocuments(): Plugin {
  let chunks: Rolldown.OutputChunk[] = []
  let index = ''
  return {
    name: 'page-documents',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        index = html
      },
    },
    generateBundle(_options, bundle) {
      const font = Object.keys(bundle).find((file) => file.endsWith('.woff2'))
      for (const [name, modules] of Object.entries(modulesOf)) {
        const links = [
          `<link rel="preload" as="font" type="font/woff2" crossorigin href="./${font}">`,
          ...[...filesOf(modules, chunks)]
            .filter((file) => !index.includes(`"./${file}"`))
            .map((file) =>
              file.endsWith('.css')
                ? `<link rel="preload" as="style" crossorigin href="./${file}">`
                : `<link rel="modulepreload" crossorigin href="./${file}">`,
            ),
        ]
        const source = index.replace('</head>', () => `  ${links.join('\n    ')}\n  </head>`)
        this.emitFile({ type: 'asset', fileName: `${name}.html`, source })
      }
    },
  }
}

/** The files of modules: their chunks, what these import, and the styles of all. */
function filesOf(modules: readonly string[], chunks: readonly Rolldown.OutputChunk[]): Set<string> {
  const files = new Set<string>()
  const add = (chunk: Rolldown.OutputChunk | undefined): void => {
    if (!chunk || files.has(chunk.fileName)) return
    files.add(chunk.fileName)
    for (const styles of chunk.viteMetadata?.importedCss ?? []) files.add(styles)
    for (const imported of chunk.imports) add(chunks.find(({ fileName }) => fileName === imported))
  }
  for (const module of modules) {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/web/${module}`)))
    if (!chunk) throw new Error(`No chunk has web/${module}`)
    add(chunk)
  }
  return files
}
