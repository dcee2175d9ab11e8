import type { Filters } from '../../contract/market-filter.ts'
import { hostingChoices, verifiedChoices } from '../../contract/market-filter.ts'
import { pages } from '../../contract/pages.ts'
import { readView, type View, writeView } from '../view.ts'

const addressOf = (changes: Partial<View>): string =>
  `${pages.price}?${writeView({ ...readView(''), ...changes })}`

/** Where an own machine is priced. `zone`: in which times are shown. */
export const deskOfMachine = (machine: number, zone: View['zone']): string => addressOf({ machine, zone })

/** Where a class of machines is priced. */
export const deskOfClass = (
  gpu: string,
  { verified, hosting_type, num_gpus }: Filters,
  zone: View['zone'],
): string =>
  addressOf({
    ...{ gpus: [gpu], num_gpus, zone },
    verified: verifiedChoices.find((one) => one === verified) ?? 'all',
    hosting_type: hostingChoices.find((one) => one === hosting_type) ?? 'all',
  })
