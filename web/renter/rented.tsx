import { Link } from 'wouter-preact'
import type { OfferedGpu } from '../../contract/offers.ts'
import { pages } from '../../contract/pages.ts'
import { Icon } from '../components/icon.tsx'
import { outlines } from '../components/outlines.ts'
import { count, counted, price, weekday } from '../format.ts'
import { cheapestOf, type RentedGpus } from './cheapest.ts'

/** An instance of the account, as far as the page shows it. */
export interface RentedInstance extends RentedGpus {
  id: number
  actual_status: string
  dph_total: number
  start_date: number
}

export interface RentedVolume {
  id: number
  disk_space: number
}

interface RentedProps {
  instances: readonly RentedInstance[]
  volumes: readonly RentedVolume[]
  gpus: readonly OfferedGpu[]
  /** Shows the offers of a GPU type. */
  onSee: (gpuName: string) => void
}

/** Instances that are listed. */
const most = 6

/** The present rentals of the account, each beside the cost of the same GPUs at the cheapest offers. */
export const Rented = ({ instances, volumes, gpus, onSee }: RentedProps) => (
  <section class="card to-do" aria-labelledby="rented">
    <header>
      <h2 id="rented">You rent</h2>
    </header>
    <ul>
      {instances.slice(0, most).map((instance) => {
        const { id, num_gpus, gpu_name, actual_status, dph_total, start_date } = instance
        const cheapest = cheapestOf([instance], gpus)
        return (
          <li key={id}>
            <span class="badge">
              <Icon outline={outlines.server} />
            </span>
            <div>
              <b title={`${num_gpus}× ${gpu_name}`}>
                {num_gpus}× {gpu_name}
              </b>
              <p>
                <Link href={`${pages.docs}?operation=getInstance`}>Instance {id}</Link>, {actual_status},
                since {weekday(start_date)}.
                {cheapest !== null && ` The cheapest free ones cost ${price(cheapest)} an hour.`}
              </p>
            </div>
            <span class="amount">{price(dph_total)} an hour</span>
            {gpus.some((gpu) => gpu.gpu_name === gpu_name) ? (
              <button
                type="button"
                class="outline"
                aria-label={`See offers of ${gpu_name}, instance ${id}`}
                onClick={() => onSee(gpu_name)}
              >
                See offers
              </button>
            ) : (
              <span />
            )}
          </li>
        )
      })}
      {volumes.length > 0 && (
        <li>
          <span class="badge">
            <Icon outline={outlines.database} />
          </span>
          <div>
            <b>{counted(volumes.length, 'volume')}</b>
            <p>{count(volumes.reduce((sum, { disk_space }) => sum + disk_space, 0))} GB of storage.</p>
          </div>
          <span class="amount" />
          <Link href={`${pages.docs}?operation=listRentedVolumes`} class="outline" role="button">
            See the volumes
          </Link>
        </li>
      )}
    </ul>
    {instances.length > most && (
      <p class="pad note">
        <Link
          href={`${pages.docs}?operation=pageInstances`}
        >{`And ${counted(instances.length - most, 'instance')}.`}</Link>
      </p>
    )}
  </section>
)
