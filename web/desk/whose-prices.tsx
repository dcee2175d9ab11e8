import type { OwnMachine } from '../api/queries.ts'
import { percent } from '../format.ts'

/** A sentence about who pays or gets the prices of the desk. `isListed`: the machine is in the market of a source. */
export function WhosePrices({ machine, isListed }: { machine: OwnMachine | undefined; isListed: boolean }) {
  if (!machine || !isListed) return null
  return <p class="note whose-prices">{wordsOf(machine)}</p>
}

function wordsOf({ host_share, renter_price }: OwnMachine): string {
  if (!host_share)
    return 'Prices are what renters pay. If the marketplace keeps a part of them, enter its fee in the costs, or give the key of your account.'
  if (host_share.share === 1)
    return 'Prices are what renters pay, and what you get: the marketplace keeps nothing.'
  const basis =
    host_share.basis === 'key'
      ? 'as the marketplace shows it to your key'
      : 'assumed from the fee in your costs'
  const paid = renter_price === null ? '' : ` Renters pay $${renter_price} for this machine.`
  return `Prices and incomes are your part: ${percent(host_share.share)} of what renters pay, ${basis}.${paid} Charts of the market have what renters pay.`
}
