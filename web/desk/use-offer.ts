import type { z } from 'zod'
import type { depthAnswer, GpuDepth } from '../../contract/depth.ts'
import type { fillAnswer } from '../../contract/fill.ts'
import { floorTo } from '../../contract/ladder.ts'
import type { Filters } from '../../contract/market-words.ts'
import { newestSlot } from '../api/freshness.ts'
import { useMarket } from '../api/queries.ts'
import { bookWithout, type Offer } from './outlook.ts'
import type { Priced } from './priced.ts'

const week = 7 * 86_400
const everything: Filters = { verified: 'all', hosting_type: 'all', num_gpus: 'all' }

interface Asked extends Omit<Priced, 'view' | 'slot'> {
  /** Whether the class is known, of which the rates are. */
  isKnown: boolean
}

/** The book of a GPU name, and the rates of a class of its machines; undefined while they are on their way. */
export function useOffer({ name, filters, gpus, machine, isKnown }: Asked) {
  const isNamed = name !== ''
  const depths = useMarket<z.infer<typeof depthAnswer>>('depth', { gpu_name: name, ...everything }, isNamed)
  // The hours that the figures of own machines are of. Any answer tells, so that the book need not come first.
  const to = floorTo(3600, newestSlot.value)
  const range = { start: Math.max(0, to - week), end: to }
  const fills = useMarket<z.infer<typeof fillAnswer>>(
    'fill',
    { gpu_name: name, ...filters, ...range },
    isNamed && isKnown && to > 0,
  )
  const depth: GpuDepth | undefined = depths.isPlaceholderData ? undefined : depths.data?.gpus[name]
  const fill = fills.isPlaceholderData ? undefined : fills.data?.gpus[name]
  const curve = machine?.figures?.class ? machine.figures.curve : undefined
  const book = depth && bookWithout(machine, depth)
  const offer: Offer | undefined = book && fill && isKnown ? { gpus, book, fill, curve } : undefined
  return { depth, offer, slot: depths.data?.slot ?? 0, questions: [depths, fills] as const }
}
