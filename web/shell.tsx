import './shell.css'
import { useQueryClient } from '@tanstack/preact-query'
import { lazy, Suspense } from 'preact/compat'
import { useEffect } from 'preact/hooks'
import { Link, Redirect, Route, Switch, useRoute, useSearch } from 'wouter-preact'
import type { ApiFailure } from './api/client.ts'
import { type User, useUser } from './api/queries.ts'
import { Boundary } from './components/boundary.tsx'
import { Notice } from './components/notice.tsx'
import { sentence } from './format.ts'
import { MachinesPage } from './machines/page.tsx'
import { MarketPage } from './market/page.tsx'
import { key, signOut } from './session.ts'
import { SignIn } from './sign-in.tsx'
import { chooseTheme, theme } from './theme.ts'

// The editor is larger than everything else together, and hosts never need it.
const SqlPage = lazy(async () => (await import('./sql/page.tsx')).SqlPage)

/** The frame of all pages: who is signed in decides what there is to see. */
export function Shell() {
  const queryClient = useQueryClient()
  const signedIn = key.value !== undefined
  useEffect(() => {
    if (!signedIn) queryClient.clear()
  }, [signedIn, queryClient])

  return (
    <>
      {signedIn ? <SignedIn /> : <Header />}
      {!signedIn && <SignIn />}
    </>
  )
}

function SignedIn() {
  const { data: user, error, refetch } = useUser()
  return (
    <>
      <Header user={user} />
      {user ? (
        <Pages user={user} />
      ) : error ? (
        <Unreachable error={error as ApiFailure} retry={refetch} />
      ) : null}
    </>
  )
}

function Pages({ user }: { user: User }) {
  if (!user.is_admin && !user.is_host)
    return (
      <Notice title="For hosts and admins">
        Market charts are for those who offer machines. The account <strong>{user.username}</strong> has none.
      </Notice>
    )
  if (!user.is_admin && !user.has_active_machine)
    return (
      <Notice title="Bring a machine online">
        The market opens as soon as one of your machines is online. Nothing else is missing: this page looks
        again by itself when you reload it.
      </Notice>
    )
  return (
    <Boundary>
      <Suspense fallback={<main id="content" aria-busy="true" />}>
        <Switch>
          <Route path="/" component={MarketPage} />
          <Route path="/machines" component={MachinesPage} />
          <Route path="/sql">
            {user.is_admin ? (
              <SqlPage />
            ) : (
              <Notice title="For admins">SQL is for admins of the marketplace.</Notice>
            )}
          </Route>
          <Route>
            <Redirect to="/" />
          </Route>
        </Switch>
      </Suspense>
    </Boundary>
  )
}

function Header({ user }: { user?: User | undefined }) {
  const other = theme.value === 'dark' ? 'light' : 'dark'
  return (
    <header class="top">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <strong class="brand">rackrate</strong>
      {user && (
        <nav aria-label="Pages">
          <PageLink to="/">Market</PageLink>
          <PageLink to="/machines">My machines</PageLink>
          {user.is_admin && <PageLink to="/sql">SQL</PageLink>}
        </nav>
      )}
      <div class="account">
        {user && <span class="quiet">{user.username}</span>}
        <button
          type="button"
          class="plain"
          onClick={() => chooseTheme(other)}
          aria-label={`Use the ${other} theme`}
        >
          {other === 'dark' ? '☾' : '☀'}
        </button>
        {key.value !== undefined && (
          <button type="button" class="plain" onClick={() => signOut()}>
            Sign out
          </button>
        )}
      </div>
    </header>
  )
}

function PageLink({ to, children }: { to: string; children: string }) {
  const [here] = useRoute(to)
  useEffect(() => {
    if (here) document.title = `${children} – rackrate`
  }, [here, children])
  // Filters are those of the market wherever one looks at it.
  const search = useSearch()
  return (
    <Link
      href={search && !here && to !== '/sql' ? `${to}?${search}` : to}
      aria-current={here ? 'page' : undefined}
    >
      {children}
    </Link>
  )
}

function Unreachable({ error, retry }: { error: ApiFailure; retry: () => void }) {
  return (
    <Notice title={error.status === 403 ? 'This key may not' : 'No answer'}>
      <p>{sentence(error.message)}</p>
      <button type="button" onClick={() => retry()}>
        Try again
      </button>
    </Notice>
  )
}
