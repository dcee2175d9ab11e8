import { signal } from '@preact/signals'

const storageName = 'rackrate-key'

/** The visitor's API key; undefined: not signed in. Kept for the tab, or on the device when asked to. Never in an address. */
export const key = signal<string | undefined>(
  sessionStorage.getItem(storageName) ?? localStorage.getItem(storageName) ?? undefined,
)

/** Why the visitor has to sign in again. */
export const signedOutBecause = signal('')

export function signIn(given: string, remember: boolean): void {
  const storage = remember ? localStorage : sessionStorage
  storage.setItem(storageName, given)
  signedOutBecause.value = ''
  key.value = given
}

export function signOut(because = ''): void {
  sessionStorage.removeItem(storageName)
  localStorage.removeItem(storageName)
  signedOutBecause.value = because
  key.value = undefined
}
