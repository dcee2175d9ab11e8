import { Link } from 'wouter-preact'
import { type Filters, machinesThat, widenedNames } from '../../contract/market-filter.ts'
import { noIncomeWords } from '../../estimates/no-income.ts'
import { count, counted } from '../format.ts'
import { deskOfClass } from './address.ts'
import type { Outlook } from './outlook.ts'
import type { Priced } from './priced.ts'
import { tenthOf } from './words.ts'

interface EvidenceProps extends Priced {
  outlook: Outlook
  /** The page has the reason for a missing income already. */
  isReasonSaid: boolean
}

/** The data behind the estimate, and ways to get a firmer one. */
export function Evidence({ view, name, machine, filters, gpus, outlook, isReasonSaid }: EvidenceProps) {
  const { rentals, exposure, position, reason, cheaper, others } = outlook
  const wider = reason && widerThan(filters)
  return (
    <>
      {exposure > 0 &&
        `For ${counted(gpus, 'GPU')}, from ${machinesThat(filters)} with ${name}: ${counted(rentals, 'GPU')} rented in ${counted(exposure, 'GPU-hour')} on offer in this price decile, 7 days.`}
      {reason && !isReasonSaid && ` ${noIncomeWords[reason]}`}
      {others > 0 &&
        ` ${count(cheaper)} of ${counted(others, 'available GPU')} of others cost less now; over 7 days this price is in the ${tenthOf(position)}.`}
      {machine?.figures?.class?.widened && ' There were too few observations of machines exactly like yours.'}
      {position === 9 && ' Prices in the highest decile are far apart; its rate is their average.'}
      {wider && (
        <>
          {' '}
          <Link href={deskOfClass(name, { ...filters, ...wider.changes }, view.zone)}>{wider.label}</Link>
        </>
      )}
    </>
  )
}

/** The next wider class; undefined: it has all machines of the GPU name and memory. */
function widerThan(filters: Filters) {
  const name = widenedNames.findLast((one) => filters[one] !== 'all')
  if (!name) return undefined
  const changes = { [name]: 'all' }
  return { label: `Count ${machinesThat({ ...filters, ...changes })}`, changes }
}
