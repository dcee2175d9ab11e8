import { useQuery } from '@tanstack/preact-query'
import type { z } from 'zod'
import type { depthAnswer, GpuDepth } from '../../contract/depth.ts'
import type { fillAnswer } from '../../contract/fill.ts'
import { type KnownCosts, marginOf } from '../../estimates/costs.ts'
import { keepUnlessOther } from '../api/keep-unless-other.ts'
import { marketQuery, useMarket } from '../api/queries.ts'
import { type DeskOffer, hostDepth, othersNow, othersOnAverage, ratesOf } from './outlook.ts'
import type { Priced } from './priced.ts'
import { questionsOf } from './questions.ts'

interface OfferQuery extends Omit<Priced, 'view' | 'slot'> {
  /** The costs of the machine or of the class; undefined: being read. */
  costs: KnownCosts | undefined
}

/** The books of a GPU name, and the rates of a class of its machines; undefined while they are being read. */
export function useOffer({ name, filters, shown, gpus, machine, costs }: OfferQuery) {
  const isNamed = name !== ''
  const { now, mean: lastDays, rates } = questionsOf({ name, filters, shown })
  const depths = useMarket<z.infer<typeof depthAnswer>>('depth', now, isNamed)
  const means = useMarket<z.infer<typeof depthAnswer>>('depth', lastDays, isNamed)
  const fills = useQuery({
    ...marketQuery<z.infer<typeof fillAnswer>>('fill', rates),
    // The rates of the earlier hour stay until the rates of the new hour have arrived.
    placeholderData: keepUnlessOther(rates, 'start', 'end'),
    enabled: isNamed && rates.end > 0,
  })
  const bookIn = ({ isPlaceholderData, data }: typeof depths): GpuDepth | undefined => {
    const depth = isPlaceholderData ? undefined : data?.gpus[name]
    return depth && hostDepth(depth, machine)
  }
  const [depth, mean] = [bookIn(depths), bookIn(means)]
  const fill = fills.data?.gpus[name]
  const offer: DeskOffer | undefined =
    depth && mean && fill && costs
      ? {
          gpus,
          book: othersOnAverage(machine, mean),
          now: othersNow(machine, depth),
          fill,
          rates: ratesOf(machine, fill),
          costs,
          margin: marginOf(costs, gpus),
        }
      : undefined
  return { depth, offer, slot: depths.data?.slot ?? 0, questions: [depths, means, fills] as const }
}
