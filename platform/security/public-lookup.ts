import { promises as dns } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isPrivate } from './private-network.ts'

export class RefusedAddress extends Error {}

/**
 * What a connection asks for the addresses of its host. All of them must be public, and the connection goes to one of those that were
 * checked: a name that resolves differently a moment later changes nothing.
 */
export const publicLookup =
  (resolve: (host: string) => Promise<string[]> = askNameServers): LookupFunction =>
  (host, { all }, done) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined) return done(new Error(`${host} has no address`), '')
        if (addresses.some((address) => isIP(address) === 0 || isPrivate(address)))
          return done(new RefusedAddress(`${host} is not on the public internet`), '')
        const found = addresses.map((address) => ({ address, family: isIP(address) }))
        if (all) done(null, found)
        else done(null, first, isIP(first))
      },
      (error: NodeJS.ErrnoException) => done(error, ''),
    )
  }

/** Not getaddrinfo: a name server that does not answer would hold one of the four threads that everything else needs, too. */
async function askNameServers(host: string): Promise<string[]> {
  const resolver = new dns.Resolver({ timeout: 2000, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
}
