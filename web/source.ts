/**
 * The source of the shown market, from the address; undefined: the first source. It is constant while the page is loaded, so that figures of two
 * markets are never mixed.
 */
export const source = new URLSearchParams(location.search).get('source') ?? undefined

/** Adds the chosen source to an address. */
export function withSource(address: string): string {
  if (source === undefined) return address
  const [, path = '', search = '', hash = ''] = /^([^?#]*)\??([^#]*)(.*)$/s.exec(address) ?? []
  const given = new URLSearchParams(search)
  if (!given.has('source')) given.set('source', source)
  return `${path}?${given}${hash}`
}

/** Reloads the page for the market of another source. */
export function chooseSource(name: string | undefined): void {
  const given = new URLSearchParams(location.search)
  // GPU types, machines and times belong to one market, so they are dropped.
  for (const other of [...given.keys()]) given.delete(other)
  if (name !== undefined) given.set('source', name)
  location.search = String(given)
}
