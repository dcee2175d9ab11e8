import { lookup } from 'node:dns/promises'
import { hostOf, isPrivate } from '../companion/cloud/private-network.ts'
import type { FetchedTask } from '../companion/copytool/schema.ts'

/** Throws when a tenant's cloud would be in the host's own network. */
export async function checkEndpoint({ credentials }: FetchedTask['cloud']): Promise<void> {
  const url = credentials.url ?? credentials.endpoint
  if (url === undefined) return
  const addresses = await lookup(hostOf(url), { all: true })
  if (addresses.some(({ address }) => isPrivate(address)))
    throw new Error(`${hostOf(url)} is not on the public internet`)
}
