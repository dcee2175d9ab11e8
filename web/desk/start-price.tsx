import { useQuery } from '@tanstack/preact-query'
import type { Filters } from '../../contract/market-filter.ts'
import type { StartAnswer } from '../../contract/start-price.ts'
import { requestJson } from '../api/client.ts'
import { usualInterval } from '../api/freshness.ts'
import { price as written } from '../format.ts'
import { key } from '../session.ts'

interface StartPriceProps {
  name: string
  filters: Filters
  onChoose: (price: number) => void
}

/** The price to begin with, of a new machine of a class. */
export function StartPrice({ name, filters, onChoose }: StartPriceProps) {
  const { data, isPending } = useQuery({
    queryKey: ['start', key.value, name, filters],
    queryFn: ({ signal }) =>
      requestJson<StartAnswer>(
        `api/v0/metrics/machines/start?${new URLSearchParams({ gpu_name: name, ...filters })}`,
        { signal },
      ),
    refetchInterval: usualInterval(),
  })
  if (!data) return isPending ? <p class="note start-price" aria-busy="true" /> : null
  const { price, reason, machine } = data
  return (
    <p class="note start-price">
      <strong>
        A new machine, {machine.num_gpus}× {machine.gpu_name},{' '}
        {machine.verified ? 'verified' : 'not verified'}
      </strong>
      : {reason}{' '}
      {price !== null && (
        <button type="button" class="outline" onClick={() => onChoose(price)}>
          Look at {written(price)}
        </button>
      )}
    </p>
  )
}
