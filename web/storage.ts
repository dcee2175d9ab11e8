/** The name of the draft of the SQL console: signing out deletes it. */
export const draftName = 'rackrate-sql'

/** Storage of the browser. If it is denied, as with blocked cookies, the page works without stored data. */
export const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

export const kept = (where: 'localStorage' | 'sessionStorage', name: string): string | undefined =>
  attempt(() => window[where].getItem(name)) ?? undefined

export const keep = (where: 'localStorage' | 'sessionStorage', name: string, value: string): void =>
  attempt(() => window[where].setItem(name, value))

export const drop = (where: 'localStorage' | 'sessionStorage', name: string): void =>
  attempt(() => window[where].removeItem(name))

export const forget = (name: string): void => {
  drop('localStorage', name)
  drop('sessionStorage', name)
}
