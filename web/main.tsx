import './tokens.css'
import './base.css'
import './components/controls.css'
import './components/panels.css'
import './components/components.css'
import './components/states.css'
import './components/filters.css'
import './components/listing.css'
import './print.css'
import { QueryClient, QueryClientProvider } from '@tanstack/preact-query'
import { render } from 'preact'
import { Router } from 'wouter-preact'
import { sharedPage } from '../contract/pages.ts'
import { base } from './api/client.ts'
import { userQuery } from './api/queries.ts'
import { askUntilBack, leftToWait, passes } from './api/return.ts'
import { clockAhead } from './clock.ts'
import { Boundary } from './components/boundary.tsx'
import { onDemand } from './components/on-demand.tsx'
import { prefetchFirst } from './first.ts'
import { key, sawMarket } from './session.ts'
import { Shell } from './shell.tsx'
import { withSource } from './source.ts'

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always', // a service on this machine is reachable without a network
      refetchOnReconnect: 'always', // without this line networkMode would turn it off
      retry: (failures, error) => failures < 3 && passes(error),
      retryDelay: (failures, error) => Math.max(1000 * 2 ** failures, leftToWait(error)),
      staleTime: 10_000,
    },
  },
})

askUntilBack(queryClient)

// Ranges that end now were asked by a wrong clock.
clockAhead.subscribe(async (seconds) => {
  if (seconds === 0) return
  await queryClient.cancelQueries()
  await queryClient.invalidateQueries()
})

const SharedPage = onDemand(
  async () => (await import('./shares/shared-page.tsx')).SharedPage,
  <main aria-busy="true" />,
)
// The page of a shared chart is isolated: no link leads to a page with the visitor's session.
const isShared = new URL(document.baseURI).pathname.endsWith(sharedPage)

const page = document.getElementById('page')
if (!page) throw new Error('index.html has no #page')

if (!isShared && key.value !== undefined) {
  queryClient.prefetchQuery(userQuery())
  if (sawMarket()) prefetchFirst(queryClient, location.pathname.slice(base.pathname.length - 1))
}

// Runs after the start of the scripts: together in one task, the first render would block the page for more than 50 ms.
setTimeout(() =>
  render(
    <QueryClientProvider client={queryClient}>
      {isShared ? (
        <Boundary>
          <SharedPage />
        </Boundary>
      ) : (
        <Router
          base={base.pathname.replace(/\/$/, '')}
          hrefs={withSource}
          aroundNav={(navigate, to, options) => {
            const { pathname } = location
            navigate(withSource(to), options)
            // Another page begins at its top. Back and forward return to where they were by themselves.
            if (location.pathname !== pathname && location.hash === '') scrollTo(0, 0)
          }}
        >
          <Shell />
        </Router>
      )}
    </QueryClientProvider>,
    page,
  ),
)

// The browser examines a manifest and draws its icon as soon as it finds the link. That takes as much CPU as half of the page, so the link comes
// after the first figures.
setTimeout(() => {
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'manifest', href: './manifest.webmanifest' }),
  )
}, 3000)
