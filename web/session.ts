import { signal } from '@preact/signals'
import { attempt, draftName, forget, keep, kept } from './storage.ts'

const storageName = 'rackrate-key'

/** The visitor's API key; undefined: signed out. Kept for the tab, or on the device when asked to. Never in an address. */
export const key = signal<string | undefined>(
  kept('sessionStorage', storageName) ?? kept('localStorage', storageName),
)

/** Why the visitor has to sign in again. */
export const signedOutBecause = signal('')

/** Whether the visitor has signed in since the page was loaded. */
export const hasSignedIn = signal(false)

/** Between the tabs of this browser. A link opened in a new tab starts without the session of its opener, so the tab asks the others. */
type Message = { type: 'ask' } | { type: 'tell'; key: string } | { type: 'end'; key: string }
const tabs = attempt(() => new BroadcastChannel('rackrate-session'))
const post = (message: Message) => tabs?.postMessage(message)

/** Until this tab has a key, or has been signed out. */
let asks = key.value === undefined

function take(given: string, remember: boolean): void {
  asks = false
  keep(remember ? 'localStorage' : 'sessionStorage', storageName, given)
  signedOutBecause.value = ''
  key.value = given
}

export function signIn(given: string, remember: boolean): void {
  hasSignedIn.value = true
  take(given, remember)
}

/** Ends the session here and in all tabs that share the key. */
export function signOut(because = ''): void {
  if (key.value !== undefined) post({ type: 'end', key: key.value })
  end(because)
}

function end(because = ''): void {
  asks = false
  forget(storageName)
  forget(draftName)
  signedOutBecause.value = because
  key.value = undefined
}

tabs?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if (data.type === 'ask' && key.value !== undefined) post({ type: 'tell', key: key.value })
  if (data.type === 'tell' && asks) take(data.key, false)
  if (data.type === 'end' && data.key === key.value) end()
})
if (asks) post({ type: 'ask' })
