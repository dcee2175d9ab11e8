import { signal } from '@preact/signals'
import { draftName, forget, keep, kept } from './storage.ts'

const storageName = 'rackrate-key'

/** The visitor's API key; undefined: not signed in. Kept for the tab, or on the device when asked to. Never in an address. */
export const key = signal<string | undefined>(
  kept('sessionStorage', storageName) ?? kept('localStorage', storageName),
)

/** Why the visitor has to sign in again. */
export const signedOutBecause = signal('')

export function signIn(given: string, remember: boolean): void {
  keep(remember ? 'localStorage' : 'sessionStorage', storageName, given)
  signedOutBecause.value = ''
  key.value = given
}

export function signOut(because = ''): void {
  forget(storageName)
  forget(draftName)
  signedOutBecause.value = because
  key.value = undefined
}

// Signed out in one tab is signed out in all that share the key.
addEventListener('storage', ({ key: name, oldValue, newValue }) => {
  if (name === storageName && newValue === null && oldValue === key.value) signOut()
})
