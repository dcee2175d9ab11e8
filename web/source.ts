/**
 * The source whose market is shown, as the address has it; undefined: the first. It is the same for as long as the page is loaded, so that no
 * figure of one market can stand beside another's.
 */
export const source = new URLSearchParams(location.search).get('source') ?? undefined

/** The same address for the market that is shown. */
export function withSource(address: string): string {
  if (source === undefined) return address
  const [, path = '', search = '', hash = ''] = /^([^?#]*)\??([^#]*)(.*)$/s.exec(address) ?? []
  const given = new URLSearchParams(search)
  if (!given.has('source')) given.set('source', source)
  return `${path}?${given}${hash}`
}

/** Loads the page anew for the market of another source. */
export function chooseSource(name: string | undefined): void {
  const given = new URLSearchParams(location.search)
  // GPU types, machines and times are of one market.
  for (const other of [...given.keys()]) given.delete(other)
  if (name !== undefined) given.set('source', name)
  location.search = String(given)
}
