import type { ListPrices } from '../api/list-prices.ts'
import { counted, dateTime, price, sentence } from '../format.ts'

/** The offers of catalogs with unknown GPU names, and the results of the newest readings. */
export function Unmapped({ prices: { catalogs, unmapped } }: { prices: ListPrices }) {
  if (catalogs.length === 0) return null
  return (
    <details>
      <summary>
        {counted(catalogs.length, 'provider')}, {counted(unmapped.length, 'name')} with unknown GPUs
      </summary>
      <ul>
        {catalogs.map(({ catalog, provider, read_at, offers, failures, problem }) => (
          <li key={`${catalog} ${provider}`}>
            {provider} ({catalog}): {read_at === null ? 'never read' : `as of ${dateTime(read_at)}`},{' '}
            {counted(offers, 'offer')}
            {problem && (
              <>
                . Failed {counted(failures, 'time')}: {sentence(problem)}
              </>
            )}
          </li>
        ))}
      </ul>
      {unmapped.length > 0 && (
        <>
          <p>These names do not identify a GPU type, so they count in no figure:</p>
          <ul>
            {unmapped.map(({ catalog, provider, listed_name, gpu_memory, offers, cheapest }) => (
              <li key={`${catalog} ${provider} ${listed_name} ${gpu_memory}`}>
                {listed_name}
                {gpu_memory !== null && ` (${gpu_memory} GB)`} of {provider}: {counted(offers, 'offer')} from{' '}
                {price(cheapest)}
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  )
}
