import { listFormat, readListing } from './listing.ts'
import { markOf, placeOf } from './place.ts'
import { get } from './request.ts'
import type { Source } from './source.ts'

/** A file at a URL: CSV, JSON Lines or JSON, with a row for each machine and state. `map` maps columns to fields. */
export function file(text: string, userAgent: string, map: string | undefined): Source {
  const { url, name } = placeOf(text, '/')
  const format = listFormat(map)
  const mark = markOf(map ?? '')
  return {
    name: `file=${name}`,
    hasRentals: format(1).hasRentals,
    async fetchMarket(request) {
      const validators = request.validators?.map === mark ? request.validators : undefined
      const answer = await get(url, userAgent, { ...request, validators })
      if (!answer) return { unchanged: true }
      const market = await readListing(answer.bytes, format(request.slot))
      return { unchanged: false, market, validators: { ...answer.validators, map: mark } }
    },
  }
}
