import { Link } from 'wouter-preact'
import { type Filters, machinesThat, widenedNames } from '../../contract/market-filter.ts'
import { counted } from '../format.ts'
import { deskOfClass } from './address.ts'
import type { Outlook } from './outlook.ts'
import type { Priced } from './priced.ts'

type EvidenceProps = Priced & { outlook: Outlook }

/** The data behind the estimate, and ways to get a firmer one. */
export function Evidence({ view, name, machine, filters, gpus, outlook }: EvidenceProps) {
  const { rentals, exposure, position, reason } = outlook
  const wider = reason && widerThan(filters)
  return (
    <>
      For {counted(gpus, 'GPU')}, from {machinesThat(filters)} with {name}: {counted(rentals, 'GPU')} rented
      in {counted(exposure, 'GPU-hour')} on offer in this price decile, 7 days.
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
