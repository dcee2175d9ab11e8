import type { BestPrice } from '../../contract/fill-rate.ts'
import type { OwnFigures } from '../../contract/machines.ts'
import { duration, earned, percent, price } from '../format.ts'
import { type Judgement, judge, type Outlook, perDay, type Reason } from './outlook.ts'

/** Why there is no estimate, as a sentence. */
export const reasons: Record<NonNullable<Reason>, string> = {
  not_listed: 'The machine is not listed.',
  not_on_market: 'The machine is offline.',
  few_rentals: 'Fewer than 5 GPUs like this were rented at this position in 7 days: too few for an estimate.',
  little_exposure:
    'GPUs like this were hardly offered at this position in 7 days: too little for an estimate.',
  few_as_dear:
    'Of the GPUs on offer, fewer than one in twenty cost as much: too little was seen of such a price.',
  no_returns: 'No rental of GPUs like this was seen in 7 days, so nobody knows how long one lasts.',
}

/** The same in a few words. */
export const shortReasons: Record<NonNullable<Reason>, string> = {
  not_listed: 'not listed',
  not_on_market: 'offline',
  few_rentals: 'too few rentals',
  little_exposure: 'too little on offer',
  few_as_dear: 'few cost as much',
  no_returns: 'no rentals',
}

/** Why there is no comparison with other hosts. */
export const setReasons: Record<NonNullable<OwnFigures['comp_set']['reason']>, string> = {
  not_seen: 'not on the market for 7 days',
  few_machines: 'fewer than 4 other machines like it',
  few_hosts: 'fewer than 3 other hosts',
  dominant_host: 'one host has most of them',
  not_rented: 'none of the others was rented',
}

/** Why there is no comparison with other hosts, in a few words. */
export const shortSetReasons: typeof setReasons = {
  not_seen: 'not on the market',
  few_machines: 'few like it',
  few_hosts: 'few hosts',
  dominant_host: 'one large host',
  not_rented: 'none rented',
}

export const judgements: Record<Judgement, string> = {
  good: 'Good price',
  dear: 'Too dear',
  cheap: 'Too cheap',
  unknown: 'Not known',
}

/** Whether a price is right, with its evidence. */
export function verdictOn(
  { price: own, income, occupancy, reason }: Outlook,
  best: BestPrice | null,
): string {
  const judgement = judge(own, income, best)
  if (!best || !income || judgement === 'unknown')
    return `${reasons[reason ?? 'few_rentals']}${best ? ` Of the prices with an estimate, ${price(best.price)} earns most.` : ''}`
  if (judgement === 'good') return goodness(own, best)
  const more = earned((best.income.value - income.value) / 30)
  const now = percent(occupancy?.value)
  return judgement === 'dear'
    ? `It would stand idle too often, rented ${now} of the time. At ${price(best.price)} it should earn about ${more} a day more.`
    : `It would be rented ${now} of the time, for too little. At ${price(best.price)} it should earn about ${more} a day more.`
}

function goodness(own: number, { price: top, from, to }: BestPrice): string {
  if (own < from || own > to) return `Its interval reaches the income of the best price, ${price(top)}.`
  return `No price is known to earn more.${from === to ? '' : ` From ${price(from)} to ${price(to)} it may be as much.`}`
}

const ordinals = [
  'cheapest',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'dearest',
]

/** The tenth of the available GPUs, by price. */
export const tenthOf = (position: number): string => `${ordinals[position]} tenth`

/** Hours, in words. */
export const hoursWords = (hours: number): string => duration(hours * 3600)

/** Both ends of the interval of an income a day. */
export function rangeADay(income: Outlook['income']): string {
  if (!income) return ''
  const { low, high } = perDay(income)
  return `${earned(low)} to ${earned(high)}`
}
