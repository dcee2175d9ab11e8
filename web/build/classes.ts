import type { ClassReturns, Earned } from '../../contract/returns.ts'
import { csvRows } from '../files.ts'
import type { View } from '../view.ts'

/** Classes with figures. With the best rig sizes, the first of each GPU name and size of memory. */
export function shownClasses(classes: readonly ClassReturns[], { rigs }: Pick<View, 'rigs'>): ClassReturns[] {
  const known = classes.filter(({ net }) => net.value !== null)
  if (rigs === 'all') return known
  const seen = new Set<string>()
  return known.filter(({ gpu_name, gpu_memory }) => {
    const name = `${gpu_name} ${gpu_memory}`
    return !seen.has(name) && seen.add(name)
  })
}

/** The income of a class in the shown days. */
export const earnedIn = ({ days_30, days_90 }: ClassReturns, { days }: Pick<View, 'days'>): Earned =>
  days === '90' ? days_90 : days_30

export const rigName = ({ num_gpus, gpu_name, gpu_memory }: ClassReturns): string =>
  `${num_gpus}× ${gpu_name}${gpu_memory === null ? '' : ` ${gpu_memory} GB`}`

/** The rows of the table with all figures. */
export const csvOf = (classes: readonly ClassReturns[]): Blob =>
  new Blob([
    csvRows([
      [
        'gpu_name',
        'gpu_memory',
        'num_gpus',
        'machines_30d',
        'income_30d',
        'income_30d_low',
        'income_30d_high',
        'p25',
        'median',
        'p75',
        'occupancy_30d',
        'income_90d',
        'net',
        'net_low',
        'net_high',
        'next_30d',
        'next_30d_low',
        'next_30d_high',
        'first_rental_hours',
        'supply_growth',
        'price_change_90d',
        'purchase_price',
        'payback_months',
        'payback_low',
        'payback_high',
        'payback_falling',
      ],
      ...classes.map(({ days_30, days_90, net, next_30, supply, price_change, payback, ...of }) => [
        of.gpu_name,
        of.gpu_memory,
        of.num_gpus,
        days_30.machines,
        days_30.income.value,
        days_30.income.low,
        days_30.income.high,
        days_30.p25,
        days_30.median,
        days_30.p75,
        days_30.occupancy,
        days_90.income.value,
        net.value,
        net.low,
        net.high,
        next_30.value,
        next_30.low,
        next_30.high,
        of.first_rental_hours,
        supply.growth,
        price_change.days_90,
        payback.purchase_price,
        payback.months,
        payback.low,
        payback.high,
        payback.falling,
      ]),
    ]),
  ])
