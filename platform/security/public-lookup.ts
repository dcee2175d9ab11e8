import { promises as dns } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isPrivate } from './private-network.ts'

export class RefusedAddress extends Error {}

/**
 * The lookup function of a connection, which returns the addresses of its host. All of them must be public, and the connection
 * goes to a checked one: a name that resolves differently a moment later has no effect.
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

/** A lookup without getaddrinfo: an unresponsive name server would block one of the four threads that the whole process uses. */
async function askNameServers(host: string): Promise<string[]> {
  const resolver = new dns.Resolver({ timeout: 2000, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
}
