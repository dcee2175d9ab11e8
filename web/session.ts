import { batch, computed, signal } from '@preact/signals'
import { source } from './source.ts'
import { attempt, draftName, drop, forget, keep, kept } from './storage.ts'

const storageName = 'rackrate-key'

/** The visitor's API key; undefined: signed out. It is stored for the tab, or on the device if the visitor chose so, and never in an address. */
export const key = signal<string | undefined>(
  kept('sessionStorage', storageName) ?? kept('localStorage', storageName),
)

/** The reason why the visitor has to sign in again. */
export const signedOutBecause = signal('')

/** True while the session of `key` has ended by itself. Its page stays below the sign-in, so that nothing typed is lost. */
export const hasEnded = computed(() => key.value !== undefined && signedOutBecause.value !== '')

export const isSignedIn = computed(() => key.value !== undefined && !hasEnded.value)

const marketName = 'rackrate-market'
const chosenMarket = source ?? ''
const places = ['sessionStorage', 'localStorage'] as const

/** True if the account of the stored key has seen the chosen market, so that the page asks for it before the account is known. */
export const sawMarket = (): boolean => places.some((where) => kept(where, marketName) === chosenMarket)

/** Stores beside the key that its account sees the chosen market. */
export function rememberMarket(isSeen: boolean): void {
  const where = places.find((where) => kept(where, storageName) !== undefined)
  if (!isSeen) forget(marketName)
  else if (where) keep(where, marketName, chosenMarket)
}

/** True if the visitor has signed in since the page was loaded. */
export const hasSignedIn = signal(false)

/**
 * The code of the mailed link that the tab was opened with, or the short one that was typed. Until it is used or discarded, the tab stays signed out.
 */
export const mailed = signal<{ code: string; request?: string } | undefined>(undefined)

/** The channel between the tabs of this browser. A link opened in a new tab starts without the session of its opener, so the tab asks the others. */
type Message = { type: 'ask' } | { type: 'tell'; key: string } | { type: 'end'; key: string; because: string }
const tabs = attempt(() => new BroadcastChannel('rackrate-session'))
const post = (message: Message) => tabs?.postMessage(message)

/** Open until this tab has a key, or has been signed out. */
let asks = key.value === undefined

/** Another tab may have stored the key of another account on the device: it stays. */
function forgetKey(): void {
  for (const where of places) if (kept(where, storageName) === key.value) drop(where, storageName)
  forget(marketName)
}

function take(given: string, remember: boolean): void {
  asks = false
  mailed.value = undefined
  forgetKey()
  // In the tab, too: another account may be remembered on the device later.
  keep('sessionStorage', storageName, given)
  if (remember) keep('localStorage', storageName, given)
  batch(() => {
    signedOutBecause.value = ''
    key.value = given
  })
}

/** Counts the accounts that have signed in to this page. The page of one account is not drawn on for another. */
export const visit = signal(0)

/** `isSame`: the account of the session that ended goes on. */
export function signIn(given: string, remember: boolean, isSame: boolean): void {
  batch(() => {
    hasSignedIn.value = true
    if (!isSame) {
      forget(draftName)
      visit.value += 1
    }
    take(given, remember)
  })
}

/**
 * Ends the session here and in all tabs that share the key. A key that came by a mailed link ends with it. `because`: the session ended by itself.
 */
export function signOut(because = ''): void {
  if (key.value !== undefined) {
    post({ type: 'end', key: key.value, because })
    const headers = { authorization: `Bearer ${key.value}` }
    const asking = { method: 'DELETE', headers, keepalive: true }
    if (!because) fetch(new URL('api/v0/auth/sign-in', document.baseURI), asking).catch(() => {})
  }
  end(because)
}

function end(because: string): void {
  asks = false
  forgetKey()
  signedOutBecause.value = because
  if (because) return
  forget(draftName)
  key.value = undefined
}

tabs?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if (data.type === 'ask' && key.value !== undefined) post({ type: 'tell', key: key.value })
  if (data.type === 'tell' && asks) take(data.key, false)
  if (data.type === 'end' && data.key === key.value) end(data.because)
})

/** Takes the code out of the address at once, so that it stays neither there nor in the history. */
function takeLink(): void {
  const code = /^#sign-in\/(.+)$/.exec(location.hash)?.[1]
  if (code === undefined) return
  history.replaceState(history.state, '', location.pathname + location.search)
  asks = false
  mailed.value = { code }
  key.value = undefined
}
addEventListener('hashchange', takeLink)
takeLink()
if (asks) post({ type: 'ask' })
