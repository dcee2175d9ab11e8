import './shell.css'
import './introduction.css'
import './shell-narrow.css'
import { type QueryClient, useQueryClient } from '@tanstack/preact-query'
import type { ComponentType } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Link, Redirect, Route, Switch, useLocation, useRoute, useSearch } from 'wouter-preact'
import { pages } from '../contract/pages.ts'
import type { ApiFailure } from './api/client.ts'
import { notices } from './api/freshness.ts'
import { mayOpen, seesMarket, troubleOf, type User, useUser } from './api/queries.ts'
import { passes } from './api/return.ts'
import { Boundary } from './components/boundary.tsx'
import { Notice } from './components/notice.tsx'
import { afterFigures, onDemand } from './components/on-demand.tsx'
import { prefetchFirst } from './first.ts'
import { sentence } from './format.ts'
import { Header } from './header.tsx'
import { Introduction } from './introduction.tsx'
import { hasEnded, hasSignedIn, key, rememberMarket, sawMarket, visit } from './session.ts'

// Each page is loaded when it is opened, so that the figures of the first page come first.
const awaited = <main id="content" tabIndex={-1} aria-busy="true" />
const TodayPage = onDemand(async () => (await import('./today/page.tsx')).TodayPage, awaited)
const MarketPage = onDemand(async () => (await import('./market/page.tsx')).MarketPage, awaited)
const GpuPage = onDemand(async () => (await import('./gpu/page.tsx')).GpuPage, awaited)
const BuildPage = onDemand(async () => (await import('./build/page.tsx')).BuildPage, awaited)
const WherePage = onDemand(async () => (await import('./where/page.tsx')).WherePage, awaited)
const MachinesPage = onDemand(async () => (await import('./machines/page.tsx')).MachinesPage, awaited)
const AlertsPage = onDemand(async () => (await import('./alerts/page.tsx')).AlertsPage, awaited)
const AutopilotPage = onDemand(async () => (await import('./autopilot/page.tsx')).AutopilotPage, awaited)
const CostsPage = onDemand(async () => (await import('./costs/page.tsx')).CostsPage, awaited)
const HistoryPage = onDemand(async () => (await import('./autopilot/history-page.tsx')).HistoryPage, awaited)
const DeskPage = onDemand(async () => (await import('./desk/page.tsx')).DeskPage, awaited)
const ElsewherePage = onDemand(async () => (await import('./elsewhere/page.tsx')).ElsewherePage, awaited)
const DashboardsPage = onDemand(
  async () => (await import('./sql/dashboards/page.tsx')).DashboardsPage,
  awaited,
)
const NotOpen = onDemand(async () => (await import('./claims/not-open.tsx')).NotOpen, awaited)
const RenterPage = onDemand(async () => (await import('./renter/page.tsx')).RenterPage, awaited)
const SqlPage = onDemand(async () => (await import('./sql/page.tsx')).SqlPage, awaited)
// After the figures of the page: it asks what Today asks, too.
const MenuCounts = onDemand(async () => {
  await afterFigures()
  // The menu stays without counts if their script is gone, as after an update.
  return import('./menu-counts.tsx').then(
    (module) => module.MenuCounts,
    () => () => null,
  )
})
const RecordingPage = onDemand(
  async () => (await import('./today/recording/page.tsx')).RecordingPage,
  awaited,
)
const SignIn = onDemand(async () => (await import('./sign-in.tsx')).SignIn, awaited)
const ReferencePage = onDemand(async () => (await import('./reference/page.tsx')).ReferencePage, awaited)

/** The frame of all pages. Its content depends on the visitor's account. */
export function Shell() {
  const queryClient = useQueryClient()
  const hasSession = key.value !== undefined
  const [isReference] = useRoute(pages.docs)
  useEffect(() => {
    if (!hasSession) queryClient.clear()
  }, [hasSession, queryClient])

  // The reference of the API is for everybody.
  return (
    <>
      {hasSession ? <Session key={visit.value} isReference={isReference} /> : <Header />}
      {(isReference || !hasSession) && <Boundary>{isReference ? <ReferencePage /> : <SignIn />}</Boundary>}
    </>
  )
}

/** The page of an account. Once its key has ended, the sign-in takes its place, and the same account goes on in it. */
function Session({ isReference }: { isReference: boolean }) {
  const asked = useUser()
  const isOver = hasEnded.value
  const { data: user } = asked
  const trouble = troubleOf(asked)
  const queryClient = useQueryClient()
  const sees = user && seesMarket(user)
  useEffect(() => (sees && !isOver ? hearOfSnapshots(queryClient) : undefined), [sees, isOver, queryClient])
  useEffect(() => {
    // The form had the focus, and has been removed.
    if (!isOver && hasSignedIn.value) focusContent()
  }, [isOver])
  return (
    <>
      <Header user={isOver ? undefined : user} />
      {isOver && !isReference && (
        <Boundary>
          <SignIn />
        </Boundary>
      )}
      <div class="session" hidden={isOver}>
        {sees && user.is_host && <MenuCounts />}
        <ServiceNotices />
        {!isReference && <Introduction user={user} />}
        {isReference ? null : !user && trouble ? (
          <Unreachable error={trouble as ApiFailure} retry={asked.refetch} />
        ) : (
          <Pages user={user} />
        )}
      </div>
    </>
  )
}

/** Subscribes to new snapshots after the first figures. Without the script, as after an update, the page polls. */
function hearOfSnapshots(queryClient: QueryClient): () => void {
  const ending = new AbortController()
  afterFigures()
    .then(() => import('./api/live.ts'))
    .then(
      ({ listen }) => listen(queryClient, ending.signal),
      () => {},
    )
  return () => ending.abort()
}

/** Notices of the service about its disk and its data, above every page. */
function ServiceNotices() {
  return (
    <div class="service-notices" aria-live="polite">
      {notices.value.map((sentence) => (
        <p key={sentence} class="banner trouble">
          {sentence}
        </p>
      ))}
    </div>
  )
}

/** The pages that the account may see. Before it is known, the page is drawn for an account that saw the market at its last visit. */
function Pages({ user }: { user: User | undefined }) {
  const isKnown = user !== undefined
  const isOpen = user ? mayOpen(user) : sawMarket()
  const queryClient = useQueryClient()
  const [path] = useLocation()
  const mayAsk = user ? seesMarket(user) : isOpen
  useEffect(() => {
    if (isKnown) rememberMarket(mayAsk)
  }, [isKnown, mayAsk])
  useLayoutEffect(() => {
    if (mayAsk) prefetchFirst(queryClient, path)
  }, [mayAsk, path, queryClient])
  useEffect(() => {
    // The form had the focus, and has been removed.
    if (isKnown && hasSignedIn.value) focusContent()
  }, [isKnown])
  const lastPath = useRef(path)
  useEffect(() => {
    // A link of the page before had the focus, and has been removed.
    if (lastPath.current !== path && document.activeElement === document.body) focusContent()
    lastPath.current = path
  }, [path])
  if (!isOpen) return user ? <RenterPage user={user} /> : awaited
  if (user && !seesMarket(user)) return <NotOpen>{path === pages.machines && <MachinesPage />}</NotOpen>
  return (
    <Boundary key={path}>
      <Switch>
        <Route path={pages.today} component={FirstPage} />
        <Route path={pages.market} component={MarketPage} />
        <Route path={pages.charts} component={GpuPage} />
        <Route path={pages.where} component={WherePage} />
        <Route path={pages.build} component={BuildPage} />
        <Route path={pages.machines} component={MachinesPage} />
        <Route path={pages.alerts} component={AlertsPage} />
        <Route path={pages.autopilot} component={AutopilotPage} />
        <Route path={pages.price} component={DeskPage} />
        <Route path={pages.costs} component={CostsPage} />
        <Route path={pages.history} component={HistoryPage} />
        <Route path={pages.elsewhere} component={ElsewherePage} />
        <Route path={pages.sql}>
          <ForAdmins user={user} Page={SqlPage} />
        </Route>
        <Route path={pages.dashboards}>
          <ForAdmins user={user} Page={DashboardsPage} />
        </Route>
        <Route path={pages.recording}>
          <ForAdmins user={user} Page={RecordingPage} />
        </Route>
        <Route>
          <Notice title="Page not found">
            There is no page at this address. <Link href={pages.today}>Go to the first page</Link>
          </Notice>
        </Route>
      </Switch>
    </Boundary>
  )
}

const focusContent = () => document.getElementById('content')?.focus({ preventScroll: true })

function ForAdmins({ user, Page }: { user: User | undefined; Page: ComponentType }) {
  if (!user) return awaited
  return user.is_admin ? (
    <Page />
  ) : (
    <Notice title="For admins">The SQL console and its dashboards are for admins of the marketplace.</Notice>
  )
}

/** The page Today. Old addresses of the charts or the market, which were here once, are redirected. */
function FirstPage() {
  const search = useSearch()
  const given = new URLSearchParams(search)
  for (const own of ['source', 'period']) given.delete(own)
  if (given.has('gpu')) return <Redirect to={`${pages.charts}?${search}`} replace />
  return given.size > 0 ? <Redirect to={`${pages.market}?${search}`} replace /> : <TodayPage />
}

function Unreachable({ error, retry }: { error: ApiFailure; retry: () => void }) {
  return (
    <Notice title={error.status === 403 ? 'Permission denied' : 'No answer'}>
      <p>
        {sentence(error.message)} {passes(error) && 'The page keeps trying.'}
      </p>
      <button type="button" onClick={() => retry()}>
        Try again
      </button>
    </Notice>
  )
}
