import { useEffect, useState } from 'preact/hooks'
import { Link, useLocation, useRoute, useSearch } from 'wouter-preact'
import { pages } from '../contract/pages.ts'
import { mayOpen, type User } from './api/queries.ts'
import { Age } from './components/age.tsx'
import { SourceSwitch } from './components/source-switch.tsx'
import { key, signOut } from './session.ts'
import { chooseTheme, theme } from './theme.ts'
import { readView, usualSort, writeView } from './view.ts'

/** The top of every page: links to the pages that the visitor may open, the source, and the account. */
export function Header({ user }: { user?: User | undefined }) {
  const other = theme.value === 'dark' ? 'light' : 'dark'
  const [isReference] = useRoute(pages.docs)
  return (
    <header class="top">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <strong class="brand">rackrate</strong>
      <nav aria-label="Pages">
        {/* Not until it is known who the visitor is: its parts would move. */}
        {(user || key.value === undefined) && (
          <>
            {user && mayOpen(user) && (
              <>
                <PageLink to={pages.market}>Market</PageLink>
                <PageLink to={pages.charts}>Charts</PageLink>
                <PageLink to={pages.machines}>My machines</PageLink>
                <PageLink to={pages.price}>Price desk</PageLink>
                <PageLink to={pages.elsewhere}>Elsewhere</PageLink>
                <PageLink to={pages.alerts}>Alerts</PageLink>
                <PageLink to={pages.autopilot}>Autopilot</PageLink>
                {user.is_admin && <PageLink to={pages.sql}>SQL</PageLink>}
                {user.is_admin && <PageLink to={pages.dashboards}>Dashboards</PageLink>}
              </>
            )}
            {user && !mayOpen(user) && <PageLink to={pages.market}>Account</PageLink>}
            {!user && isReference && <PageLink to={pages.market}>Sign in</PageLink>}
            <PageLink to={pages.docs}>API</PageLink>
          </>
        )}
      </nav>
      <div class="account">
        {user && mayOpen(user) && <SourceSwitch />}
        {user && <Age />}
        {user && <bdi class="quiet user">{user.username}</bdi>}
        <button
          type="button"
          class="plain"
          onClick={() => chooseTheme(other)}
          aria-label={`Use the ${other} theme`}
        >
          {other === 'dark' ? '☾' : '☀'}
        </button>
        <KeysButton />
        {key.value !== undefined && (
          <button type="button" class="plain" onClick={() => signOut()}>
            Sign out
          </button>
        )}
      </div>
    </header>
  )
}

const fields = 'input, select, textarea, [contenteditable=true]'

/** Opens the list of keys, which `?` does anywhere but in a field. */
function KeysButton() {
  const [help, setHelp] = useState<typeof import('./keyboard-help.tsx')>()
  // Out of reach: nothing opens.
  const open = () => import('./keyboard-help.tsx').then(setHelp, () => {})
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // Within the editor's shadow tree, too.
      const [at] = event.composedPath() as [Element]
      if (event.key !== '?' || at.matches(fields) || document.querySelector('dialog[open]')) return
      event.preventDefault()
      open()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      <button type="button" class="plain with-keys" onClick={open} aria-label="Keys" aria-keyshortcuts="?">
        ?
      </button>
      {help && <help.KeyboardHelp onClose={() => setHelp(undefined)} />}
    </>
  )
}

/** Whether a page takes the filters of the market. */
const isOfMarket = (path: string) => path !== pages.sql && path !== pages.dashboards && path !== pages.docs

function PageLink({ to, children }: { to: string; children: string }) {
  const [here] = useRoute(to)
  const [path] = useLocation()
  useEffect(() => {
    if (!here) return
    document.title = `${children} – rackrate`
    showCurrent()
  }, [here, children])
  // Filters are shared by all pages that show the market.
  const search = useSearch()
  const shares = search && !here && isOfMarket(to) && isOfMarket(path)
  return (
    <Link href={shares ? withFilters(to, search) : to} aria-current={here ? 'page' : undefined}>
      {children}
    </Link>
  )
}

/** On a phone the links reach beyond the screen: that of this page is seen. */
function showCurrent(): void {
  const link = document.querySelector<HTMLElement>('.top nav [aria-current]')
  const nav = link?.parentElement
  if (link && nav) nav.scrollLeft = link.offsetLeft + link.offsetWidth + 16 - nav.offsetLeft - nav.clientWidth
}

/**
 * The address of a page with what it takes over from another. Each table has a search and an order of its own, and that of the market has all
 * GPU types. A price is of the machine that it was chosen for.
 */
function withFilters(page: string, search: string): string {
  const view = readView(search)
  const taken = writeView({
    ...view,
    find: '',
    sort: usualSort,
    page: 1,
    price: view.machine > 0 ? view.price : '',
    gpus: page === pages.market ? [] : view.gpus,
  })
  return taken ? `${page}?${taken}` : page
}
