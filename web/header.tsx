import { useEffect, useState } from 'preact/hooks'
import { Link, useLocation, useSearch } from 'wouter-preact'
import { pages } from '../contract/pages.ts'
import { mayOpen, type User } from './api/queries.ts'
import { Age } from './components/age.tsx'
import { dialogOnDemand } from './components/dialog-on-demand.tsx'
import { Dropdown } from './components/dropdown.tsx'
import { frameOutlines, Icon } from './components/icon.tsx'
import { afterFigures, onDemand } from './components/on-demand.tsx'
import { TaskBadge } from './components/task-badge.tsx'
import { placeOf, places, withFilters } from './places.ts'
import { isSignedIn, signOut } from './session.ts'
import { taskCounts } from './task-counts.ts'
import { chooseTheme, theme } from './theme.ts'
import { isTyping, mod } from './typing.ts'

// The menu stays without the switch if its script is gone, as after an update.
const SourceSwitch = onDemand(() =>
  afterFigures()
    .then(() => import('./components/source-switch.tsx'))
    .then(
      (module) => module.SourceSwitch,
      () => () => null,
    ),
)

const KeyboardHelp = dialogOnDemand(async () => (await import('./keyboard-help.tsx')).KeyboardHelp)
const Jump = dialogOnDemand(async () => (await import('./jump.tsx')).Jump)

/** The frame of every page: the places that the visitor may open, the market and the age of its data, and the account. */
export function Header({ user }: { user?: User | undefined }) {
  const [path] = useLocation()
  const place = placeOf(path)
  const tab = place?.tabs.find(({ to }) => to === path)
  const [helps, openHelp, closeHelp] = useOpen(isHelpKey)
  const title = place && tab && (place.tabs.length > 1 ? `${tab.title}, ${place.title}` : place.title)
  useEffect(() => {
    if (title) document.title = `${title} – rackrate`
  }, [title])
  return (
    <header class="side">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <span class="brand">
        <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
          <rect x="1" y="2" width="18" height="4" rx="1.5" opacity=".35" />
          <rect x="1" y="8" width="12" height="4" rx="1.5" />
          <rect x="1" y="14" width="15" height="4" rx="1.5" opacity=".65" />
        </svg>
        <strong>rackrate</strong>
      </span>
      {user && mayOpen(user) && <JumpButton user={user} openKeys={openHelp} />}
      <nav aria-label="Pages">
        {/* Shown once the visitor is known, since its parts would move otherwise. */}
        {(user || !isSignedIn.value) && <Places user={user} />}
      </nav>
      <div class="foot">
        {user && mayOpen(user) && <SourceSwitch />}
        {user && mayOpen(user) && <Age />}
        <Account user={user} openHelp={openHelp} />
      </div>
      {helps && <KeyboardHelp onClose={closeHelp} />}
    </header>
  )
}

/** The links of the menu. Accounts without machines and visitors without a key see few of them. */
function Places({ user }: { user: User | undefined }) {
  if (user && mayOpen(user))
    return (
      <>
        {places.map(({ title, icon, tabs }) => {
          const open = tabs.find(({ forAdmins }) => user.is_admin || !forAdmins)
          return open && <PlaceLink key={title} to={open.to} title={title} icon={icon} />
        })}
      </>
    )
  return (
    <>
      <PlaceLink to={pages.today} title={user ? 'Today' : 'Sign in'} icon={frameOutlines.home} />
      <PlaceLink to={pages.docs} title="API" icon={frameOutlines.database} />
    </>
  )
}

function PlaceLink({ to, title, icon }: { to: string; title: string; icon: string }) {
  const [path] = useLocation()
  const search = useSearch()
  const isHere = to === path || placeOf(path)?.title === title
  return (
    <Link href={withFilters(to, path, search)} title={title} aria-current={isHere ? 'page' : undefined}>
      <Icon outline={icon} />
      <span>{title}</span>
      <TaskBadge of={taskCounts.value.get(title)} />
    </Link>
  )
}

/** The first letters of a name, as in "DH". */
const initialsOf = (name: string): string =>
  name
    .split(/[^\p{L}\p{N}]+/u)
    .slice(0, 2)
    .map(([first = '']) => first.toUpperCase())
    .join('')

/** The account, and what belongs to this browser: theme, keys, signing out. */
function Account({ user, openHelp }: { user: User | undefined; openHelp: () => void }) {
  const other = theme.value === 'dark' ? 'light' : 'dark'
  const [path] = useLocation()
  const name = user?.username ?? ''
  return (
    <div class="account">
      {isSignedIn.value && <span class="face">{initialsOf(name)}</span>}
      {user && (
        <bdi class="user" title={name}>
          {name}
        </bdi>
      )}
      <Dropdown label="Settings" name="Account and settings" icon={frameOutlines.sliders}>
        {(close) => (
          <>
            {user && (
              <p class="quiet">
                <bdi>{name}</bdi>
              </p>
            )}
            {user && mayOpen(user) && (
              <Link
                class="of-phone"
                href={withFilters(user.is_admin ? pages.sql : pages.docs, path, '')}
                onClick={close}
              >
                Data
              </Link>
            )}
            <button type="button" class="plain" onClick={() => chooseTheme(other)}>
              Use the {other} theme
            </button>
            <button
              type="button"
              class="plain with-keys"
              aria-keyshortcuts="?"
              onClick={() => {
                close()
                openHelp()
              }}
            >
              Keys <kbd>?</kbd>
            </button>
            {isSignedIn.value && (
              <button type="button" class="plain" onClick={() => signOut()}>
                Sign out
              </button>
            )}
          </>
        )}
      </Dropdown>
    </div>
  )
}

const isHelpKey = (event: KeyboardEvent): boolean => event.key === '?' && !isTyping(event)

/** `/` leads to the search of the page where it has one. */
const isJumpKey = (event: KeyboardEvent): boolean =>
  (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey) ||
  (event.key === '/' && !isTyping(event) && !/\/(market|docs)$/.test(location.pathname))

/** The button that opens the search of the menu. Its keys work everywhere. */
function JumpButton({ user, openKeys }: { user: User; openKeys: () => void }) {
  const [jumps, open, close] = useOpen(isJumpKey)
  return (
    <>
      <button
        type="button"
        class="jump"
        aria-keyshortcuts="Control+K Meta+K /"
        title="Jump to"
        onClick={open}
      >
        <Icon outline={frameOutlines.search} />
        <span>Jump to…</span>
        <kbd>{mod} K</kbd>
      </button>
      {jumps && <Jump user={user} onClose={close} openKeys={openKeys} />}
    </>
  )
}

/** The state of a dialog, and functions to open and close it. A key opens it while no other dialog is open. */
function useOpen(isKey: (event: KeyboardEvent) => boolean) {
  const [isOpen, setOpen] = useState(false)
  const [open, close] = [() => setOpen(true), () => setOpen(false)]
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !isKey(event) || document.querySelector('dialog[open]')) return
      event.preventDefault()
      open()
    }
    const ending = new AbortController()
    const { signal } = ending
    addEventListener('keydown', onKeyDown, { signal })
    addEventListener('popstate', close, { signal }) // back leads to another view
    return () => ending.abort()
  }, [])
  return [isOpen, open, close] as const
}
