import { useQuery } from '@tanstack/preact-query'
import { useMemo } from 'preact/hooks'
import { day, week } from '../../contract/durations.ts'
import { ownIncomeQuery } from '../api/machines.ts'
import type { OwnMachine } from '../api/queries.ts'
import { Status } from '../components/status.tsx'
import { CostsButton } from '../costs/costs-button.tsx'
import { count, counted, earned, nothing, percent } from '../format.ts'
import type { Look } from '../machines/attention.ts'
import { type FleetRow, rowOf } from '../machines/fleet.ts'
import { notFromSource } from '../machines/really-earned.ts'
import { barsOf, expectedADay } from './days.ts'
import { IncomeBars } from './income-bars.tsx'

interface EarnedProps {
  machines: readonly OwnMachine[]
  look: Look
  /** Rented GPUs count at listed prices. */
  isListed: boolean
  waiting: boolean
  /** Further machines are still being read, so sums are of a part. */
  hasMore: boolean
}

/** The income of the last week as a sentence, with the figures behind it. */
export function Earned({ machines, look, isListed, waiting, hasMore }: EarnedProps) {
  const [first, ...others] = machines
  const all = first && rowOf('all', [first, ...others], look)
  const byDay = useQuery(ownIncomeQuery())
  const expected = useMemo(() => (hasMore ? null : expectedADay(machines)), [machines, hasMore])
  const bars = useMemo(() => (byDay.data ? barsOf(byDay.data, expected) : []), [byDay.data, expected])
  return (
    <section class="card earned" aria-label="Earned" aria-busy={waiting || hasMore}>
      <div class="pad">
        <p class="label">
          Earned in the last 7 days{isListed && ', at listed prices'}
          {hasMore && `, by the first ${counted(machines.length, 'machine')}`}
        </p>
        {all ? <Sentence row={all} /> : <p class="headline quiet">{waiting && 'Reading your machines'}</p>}
        <dl>
          <div>
            <dt class="label">Last 24 hours</dt>
            <dd>
              <strong>{all ? earned(all.income[0]) : nothing}</strong>{' '}
              {expected !== null && <span class="quiet">expected {earned(expected)}</span>}
            </dd>
          </div>
          <div>
            <dt class="label">GPUs rented now</dt>
            <dd>
              <strong>{all?.rented == null ? nothing : `${count(all.rented)} of ${count(all.gpus)}`}</strong>{' '}
              <span class="quiet">{all && `${counted(onlineOf(all), 'machine')} online`}</span>
            </dd>
          </div>
          {all?.occupancy[1] !== null && (
            <div>
              <dt class="label">Occupancy, 7 days</dt>
              <dd>
                <strong>{percent(all?.occupancy[1])}</strong>{' '}
                <span class="quiet">{all && `24 h ${percent(all.occupancy[0])}`}</span>
              </dd>
            </div>
          )}
          <div>
            <dt class="label">Net a day, after power and fees</dt>
            <dd>{all && all.netOf > 0 ? <Net row={all} /> : !waiting && <CostsButton machine={0} />}</dd>
          </div>
        </dl>
      </div>
      {byDay.isError && !byDay.data ? (
        <div class="pad">
          <Status of={[byDay]} hasData={false} />
        </div>
      ) : (
        <IncomeBars bars={bars} waiting={waiting || byDay.isPending} />
      )}
    </section>
  )
}

const Net = ({ row: { net, netOf } }: { row: FleetRow }) => (
  <>
    <strong>{earned(net)}</strong> <span class="quiet">{counted(netOf, 'machine')}, expected</span>
  </>
)

const onlineOf = ({ machines }: FleetRow): number => machines.filter(({ online }) => online).length

/** A comparison of the week with a mean week of the rest of the month, if enough of its days are known. */
function Sentence({ row: { income, covered } }: { row: FleetRow }) {
  const [, last, month] = income
  if (last === null || month === null) return <p class="headline quiet">Rentals are {notFromSource}</p>
  const before = covered - week
  if (before < 3 * day) return <p class="headline">{earned(last)}</p>
  const usual = ((month - last) * week) / before
  const more = last - usual
  const isSame = Math.abs(more) < 0.02 * Math.max(usual, 1)
  return (
    <>
      <p class="headline">
        {earned(last)}
        {isSame ? (
          ', as in a usual week'
        ) : (
          <>
            , which is{' '}
            <span class={more > 0 ? 'good' : 'warn'}>
              {earned(Math.abs(more))} {more > 0 ? 'more' : 'less'}
            </span>{' '}
            than usual
          </>
        )}
      </p>
      <p class="quiet">
        {earned(usual)} a week in the {Math.round(before / day)} days before.
      </p>
    </>
  )
}
