import { gpusOf, isEmpty, numberOf, type Observation, Rejected } from '../import/observation.ts'
import type { Fields } from '../import/record.ts'
import { readList } from './json-list.ts'
import { openMarket } from './market.ts'
import { placeOf } from './place.ts'
import { get } from './request.ts'
import type { Source } from './source.ts'
import { SourceError } from './source-error.ts'
import { wholeMachine } from './whole-machine.ts'

/** The page /machines of an exporter. A row is a whole machine with its number of rented GPUs. */
export function exporter(text: string, userAgent: string): Source {
  const { url, name } = placeOf(text, '/machines')
  return {
    name: `exporter=${name}`,
    hasRentals: true,
    async fetchMarket(request) {
      const answer = await get(url, userAgent, request)
      if (!answer) return { unchanged: true }
      const market = openMarket()
      let rows = 0
      const { timestamp, count } = await readList(answer.bytes, (row) => {
        rows += 1
        const place = `row ${rows}`
        const leaveOut = (reason: string) => market.leaveOut(place, reason)
        market.add(place, () => machineOf(row, request.slot, leaveOut))
      })
      if (typeof count === 'number' && count !== rows)
        throw new SourceError(`The source announces ${count} machines but lists ${rows}.`)
      const validators = { ...answer.validators, as_of: timeOf(timestamp) }
      return { unchanged: false, market: market.close(), validators }
    },
  }
}

function timeOf(timestamp: unknown): number | undefined {
  const time = typeof timestamp === 'string' ? Math.floor(Date.parse(timestamp) / 1000) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

function machineOf(row: Fields, slot: number, leaveOut: (reason: string) => void): Observation[] {
  const rented = numberOf(row.num_gpus_rented, 'num_gpus_rented')
  if (!Number.isInteger(rented) || rented < 0 || rented > gpusOf(row.num_gpus, 'num_gpus'))
    throw new Rejected('num_gpus_rented is larger than num_gpus')
  const min_gpus = isEmpty(row.min_chunk) ? null : gpusOf(row.min_chunk, 'min_chunk')
  return wholeMachine(row, { slot, rented, min_gpus, leaveOut })
}
