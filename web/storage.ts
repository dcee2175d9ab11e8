/** The name of the statement in the SQL console: it's nobody else's business after a sign-out. */
export const draftName = 'rackrate-sql'

/** What the browser keeps for the page. Where it may not, as with cookies blocked, the page works and forgets. */
const attempt = <T>(work: () => T): T | undefined => {
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

export const forget = (name: string): void => {
  for (const where of ['localStorage', 'sessionStorage'] as const)
    attempt(() => window[where].removeItem(name))
}
