import { type Signal, useSignal } from '@preact/signals'
import { Fragment } from 'preact'
import type { OfferedGpu } from '../../contract/offers.ts'
import { Change } from '../components/change.tsx'
import { Sparkline } from '../components/sparkline.tsx'
import { count, counted, price } from '../format.ts'

/** GPU types before the rest is asked for. */
const few = 8

interface OffersProps {
  gpus: readonly OfferedGpu[]
  /** GPU types that the visitor rents. */
  own: ReadonlySet<string>
  /** The GPU type whose offers are shown; empty: none. */
  open: Signal<string>
}

/** The free GPUs of each type: price, change, and the cheapest offers on request. */
export function Offers({ gpus, own, open }: OffersProps) {
  const isWhole = useSignal(false)
  const shown = isWhole.value ? gpus : gpus.slice(0, Math.max(few, own.size))
  const hasChange = gpus.some(({ change_1d, change_7d }) => change_1d !== null || change_7d !== null)
  const hasCourse = gpus.some(({ course }) => course.filter((one) => one !== null).length > 1)
  const columns = 5 + (hasChange ? 2 : 0) + (hasCourse ? 1 : 0)
  return (
    <section class="listing offers" aria-labelledby="offers">
      <h2 id="offers">Free GPUs now</h2>
      <table>
        <caption class="unseen">
          GPU types with the median price of their free GPUs and the cheapest offer
        </caption>
        <thead>
          <tr>
            <th scope="col">GPU type</th>
            {hasCourse && (
              <th scope="col" class="need-1">
                7 days
              </th>
            )}
            <th scope="col">Price</th>
            {hasChange && (
              <>
                <th scope="col" class="need-1">
                  In a day
                </th>
                <th scope="col">In a week</th>
              </>
            )}
            <th scope="col" class="need-1">
              Free
            </th>
            <th scope="col" class="need-1">
              Cheapest
            </th>
            <th scope="col">
              <span class="unseen">Offers</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((gpu) => {
            const { gpu_name, free_gpus, price_median, change_1d, change_7d, course, offers } = gpu
            const isOpen = open.value === gpu_name
            return (
              <Fragment key={gpu_name}>
                <tr>
                  <th scope="row">
                    {gpu_name}
                    {own.has(gpu_name) && <span class="quiet"> you rent it</span>}
                  </th>
                  {hasCourse && (
                    <td class="need-1">
                      <Sparkline values={[...course, price_median]} />
                    </td>
                  )}
                  <td class="lead">
                    {price_median === null ? <span class="quiet">none free</span> : price(price_median)}
                  </td>
                  {hasChange && (
                    <>
                      <td class="need-1">{change_1d !== null && <Change value={change_1d} />}</td>
                      <td>{change_7d !== null && <Change value={change_7d} />}</td>
                    </>
                  )}
                  <td class="need-1">{count(free_gpus)}</td>
                  <td class="need-1">{offers[0] && price(offers[0].price)}</td>
                  <td>
                    <button
                      type="button"
                      class="outline small"
                      aria-expanded={isOpen}
                      aria-label={`${isOpen ? 'Hide offers' : 'See offers'}: ${gpu_name}`}
                      onClick={() => {
                        open.value = isOpen ? '' : gpu_name
                      }}
                    >
                      {isOpen ? 'Hide offers' : 'See offers'}
                    </button>
                  </td>
                </tr>
                {isOpen && (
                  <tr class="of-type">
                    <td colSpan={columns}>
                      <OfferList gpu={gpu} />
                    </td>
                  </tr>
                )}
              </Fragment>
            )
          })}
        </tbody>
      </table>
      {gpus.length > shown.length && (
        <p class="note">
          <button
            type="button"
            class="link"
            onClick={() => {
              isWhole.value = true
            }}
          >
            Show all {gpus.length} GPU types
          </button>
        </p>
      )}
      <p class="note">
        USD per GPU-hour. The price is the median of the free GPUs.
        {!hasChange && ' Changes appear after a day of snapshots.'}
      </p>
    </section>
  )
}

function OfferList({ gpu: { gpu_name, free_gpus, offers } }: { gpu: OfferedGpu }) {
  if (offers.length === 0) return <p class="quiet">No {gpu_name} is free now. Look again in some minutes.</p>
  const listed = offers.reduce((sum, { gpus }) => sum + gpus, 0)
  return (
    <>
      <ul>
        {offers.map((offer) => (
          <li key={offer.price}>
            <strong>{price(offer.price)}</strong> <span class="quiet">{counted(offer.gpus, 'GPU')}</span>
          </li>
        ))}
      </ul>
      {free_gpus > listed && <p class="quiet">{counted(free_gpus - listed, 'further GPU')} cost more.</p>}
    </>
  )
}
