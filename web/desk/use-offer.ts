import type { z } from 'zod'
import type { depthAnswer, GpuDepth } from '../../contract/depth.ts'
import type { fillAnswer } from '../../contract/fill.ts'
import { bookDays } from '../../contract/fill-rate.ts'
import { floorTo } from '../../contract/ladder.ts'
import type { Filters } from '../../contract/market-words.ts'
import { newestSlot } from '../api/freshness.ts'
import { useMarket } from '../api/queries.ts'
import { type Offer, othersNow, othersOnAverage, ratesOf } from './outlook.ts'
import type { Priced } from './priced.ts'

const week = 7 * 86_400
const everything: Filters = { verified: 'all', hosting_type: 'all', num_gpus: 'all' }

interface Asked extends Omit<Priced, 'view' | 'slot'> {
  /** Whether it is known what the machine may expect, if there is one. */
  isKnown: boolean
}

/** The books of a GPU name, and the rates of a class of its machines; undefined while they are on their way. */
export function useOffer({ name, filters, gpus, machine, isKnown }: Asked) {
  const isNamed = name !== ''
  const about = { gpu_name: name, ...everything }
  const depths = useMarket<z.infer<typeof depthAnswer>>('depth', about, isNamed)
  const means = useMarket<z.infer<typeof depthAnswer>>('depth', { ...about, days: bookDays }, isNamed)
  // The hours that the figures of own machines are of. Any answer tells, so that the book need not come first.
  const to = floorTo(3600, newestSlot.value)
  const range = { start: Math.max(0, to - week), end: to }
  const fills = useMarket<z.infer<typeof fillAnswer>>(
    'fill',
    { gpu_name: name, ...filters, ...range },
    isNamed && to > 0,
  )
  const depth: GpuDepth | undefined = depths.isPlaceholderData ? undefined : depths.data?.gpus[name]
  const fill = fills.isPlaceholderData ? undefined : fills.data?.gpus[name]
  const mean: GpuDepth | undefined = means.isPlaceholderData ? undefined : means.data?.gpus[name]
  const offer: Offer | undefined =
    depth && mean && fill && isKnown
      ? {
          ...{ gpus, book: othersOnAverage(machine, mean), now: othersNow(machine, depth) },
          ...{ fill, rates: ratesOf(machine, fill) },
        }
      : undefined
  return { depth, offer, slot: depths.data?.slot ?? 0, questions: [depths, means, fills] as const }
}
