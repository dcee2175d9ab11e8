import type { OwnMachine } from '../api/queries.ts'
import { counted, day, percent, price } from '../format.ts'

/** Sentences about the prices of an own machine. `isListed`: the machine is in the market of a source. */
export function PriceNotes({ machine, isListed }: { machine: OwnMachine | undefined; isListed: boolean }) {
  if (!machine) return null
  const words = [isListed ? shareWords(machine) : null, rentedWords(machine)].filter((one) => one !== null)
  return words.length > 0 ? <p class="note">{words.join(' ')}</p> : null
}

/** Names the side of the prices on the desk: the renter or the host. */
export function shareWords({
  host_share,
  renter_price,
}: Pick<OwnMachine, 'host_share' | 'renter_price'>): string {
  if (!host_share)
    return 'Prices are what renters pay. If the marketplace keeps a part of them, enter its fee in the costs, or give the key of your account.'
  if (host_share.share === 1)
    return 'Prices are what renters pay, and what you get: the marketplace keeps nothing.'
  const basis =
    host_share.basis === 'key' ? 'as the marketplace shows to your key' : 'assumed from the fee in your costs'
  const paid = renter_price === null ? '' : ` Renters pay ${price(renter_price)} for this machine.`
  return `Prices and incomes are your part: ${percent(host_share.share)} of what renters pay, ${basis}.${paid} Charts of the market show what renters pay.`
}

/** The effect of a new price on a machine without available GPUs; null: it has some. */
export function rentedWords({
  num_gpus,
  rented_gpus,
  marketplace,
}: Pick<OwnMachine, 'num_gpus' | 'rented_gpus' | 'marketplace'>): string | null {
  if (rented_gpus === null || rented_gpus < num_gpus) return null
  const { rented_until: until = null, earn_hour: earned = null } = marketplace ?? {}
  const reserved = marketplace?.rented?.reserved ?? 0
  const words = [
    until === null
      ? 'All of its GPUs are rented. A new price is for the next rental, and does not change the present ones.'
      : `All of its GPUs are rented: nothing changes until ${day(until)}, when the last contract ends. The recommended price is for listing it again then.`,
    reserved > 0 && `A reserved contract keeps its price until it ends: ${counted(reserved, 'GPU')} of it.`,
    earned !== null && earned > 0 && `It earns ${price(earned / num_gpus)} per GPU-hour now.`,
    marketplace && 'A higher price may be a request to the renters now. A rule makes none.',
  ]
  return words.filter(Boolean).join(' ')
}
