import { useSignal } from '@preact/signals'
import type { Filters } from '../../contract/market-filter.ts'
import { Fold } from '../components/fold.tsx'
import { onDemand } from '../components/on-demand.tsx'
import type { Zone } from '../format.ts'

const HourPattern = onDemand(async () => (await import('./hour-pattern.tsx')).HourPattern)

interface RentalHoursProps {
  name: string
  /** The class whose rentals are counted. */
  filters: Filters
  zone: Zone
}

/** The hours at which renters come. Read when the section is opened. */
export function RentalHours(props: RentalHoursProps) {
  const wanted = useSignal(false)
  return (
    <Fold
      title="When do renters come?"
      answer="by hour of the day and at weekends"
      onOpen={() => {
        wanted.value = true
      }}
    >
      {wanted.value && props.name !== '' && <HourPattern {...props} />}
    </Fold>
  )
}
