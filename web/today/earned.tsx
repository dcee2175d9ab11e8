import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { ownIncomeQuery } from '../api/machines.ts'
import type { OwnMachine } from '../api/queries.ts'
import { Status } from '../components/status.tsx'
import { CostsButton } from '../costs/costs-button.tsx'
import { count, counted, duration, earned, nothing, percent } from '../format.ts'
import type { Look } from '../machines/attention.ts'
import { type FleetRow, rowOf } from '../machines/fleet.ts'
import { notFromSource } from '../machines/really-earned.ts'
import { barsOf, expectedADay } from './days.ts'
import { daysShown } from './days-shown.ts'
import { IncomeBars } from './income-bars.tsx'
import { compare, type Period, periods } from './periods.ts'

interface EarnedProps {
  machines: readonly OwnMachine[]
  /** The same machines, before their figures are read. */
  listed: readonly OwnMachine[]
  period: Period
  look: Look
  /** Rented GPUs count at listed prices. */
  isListed: boolean
  waiting: boolean
  /** Further machines are still being read, so sums are of a part. */
  hasMore: boolean
  /** The choice of the period, on a phone. */
  children: ComponentChildren
}

/** The income of a period as a sentence, with the figures behind it. */
export function Earned({
  machines,
  listed,
  period,
  look,
  isListed,
  waiting,
  hasMore,
  children,
}: EarnedProps) {
  const [first, ...others] = machines
  const all = first && rowOf('all', [first, ...others], look)
  const { last, index, strong } = periods[period]
  const days = daysShown(period)
  const rented = rentedOf(listed)
  const byDay = useQuery({ ...ownIncomeQuery(days), placeholderData: keepPreviousData })
  const expected = useMemo(() => (hasMore ? null : expectedADay(machines)), [machines, hasMore])
  const bars = useMemo(() => (byDay.data ? barsOf(byDay.data, expected) : []), [byDay.data, expected])
  return (
    <section class="card earned" aria-label="Earned" aria-busy={waiting || hasMore}>
      <div class="pad">
        <div class="phone-only">{children}</div>
        <p class="label">
          Earned in the last {last}
          {isListed && ', at listed prices'}
          {hasMore && `, by the first ${counted(machines.length, 'machine')}`}
        </p>
        {all ? <Sentence row={all} period={period} /> : <Awaited rented={rented} waiting={waiting} />}
        <dl>
          {period === 'day' ? (
            <div>
              <dt class="label">Last 7 days</dt>
              <dd>
                <strong>{all ? earned(all.income[1]) : nothing}</strong>
              </dd>
            </div>
          ) : (
            <div>
              <dt class="label">Last 24 hours</dt>
              <dd>
                <strong>{all ? earned(all.income[0]) : nothing}</strong>{' '}
                {expected !== null && <span class="quiet">expected {earned(expected)}</span>}
              </dd>
            </div>
          )}
          <div>
            <dt class="label">GPUs rented now</dt>
            <dd>
              <strong>{rented ?? nothing}</strong>{' '}
              <span class="quiet">
                {listed.length > 0 &&
                  `${counted(listed.filter(({ online }) => online).length, 'machine')} online`}
              </span>
            </dd>
          </div>
          {all?.occupancy[index] !== null && (
            <div>
              <dt class="label">Occupancy, {last}</dt>
              <dd>
                <strong>{percent(all?.occupancy[index])}</strong>{' '}
                <span class="quiet">
                  {all &&
                    (period === 'week'
                      ? `24 hours ${percent(all.occupancy[0])}`
                      : `7 days ${percent(all.occupancy[1])}`)}
                </span>
              </dd>
            </div>
          )}
          <div>
            <dt class="label">Net a day, after power and fees</dt>
            <dd>
              {all && all.netOf > 0 ? <Net row={all} /> : !waiting && <CostsButton machine={0} look="link" />}
            </dd>
          </div>
        </dl>
      </div>
      {byDay.isError && !byDay.data ? (
        <div class="pad">
          <Status of={[byDay]} hasData={false} />
        </div>
      ) : (
        <IncomeBars bars={bars} strong={strong} waiting={waiting || byDay.isPending} />
      )}
    </section>
  )
}

const Net = ({ row: { net, netOf } }: { row: FleetRow }) => (
  <>
    <strong>{earned(net)}</strong> <span class="quiet">{counted(netOf, 'machine')}, expected</span>
  </>
)

/** "3 of 4"; undefined: rentals are not known. */
function rentedOf(machines: readonly OwnMachine[]): string | undefined {
  if (machines.length === 0 || machines.some(({ rented_gpus }) => rented_gpus === null)) return undefined
  const [rented, gpus] = (['rented_gpus', 'num_gpus'] as const).map((name) =>
    machines.reduce((sum, machine) => sum + (machine[name] ?? 0), 0),
  )
  return `${count(rented)} of ${count(gpus)}`
}

/** The sentence until the figures of the machines are read. */
const Awaited = ({ rented, waiting }: { rented: string | undefined; waiting: boolean }) =>
  rented === undefined ? (
    <p class="headline quiet">{waiting && 'Reading your machines'}</p>
  ) : (
    <>
      <p class="headline">{rented} GPUs are rented now</p>
      <p class="quiet">Earnings and advice are being computed.</p>
    </>
  )

/** The earnings of a period, and how much more or less they are than expected or than usual. */
function Sentence({ row, period }: { row: FleetRow; period: Period }) {
  const { last, index, seconds } = periods[period]
  const total = row.income[index]
  if (total === null) return <p class="headline quiet">Rentals are {notFromSource}</p>
  const compared = compare(row.machines, period)
  const covered = Math.min(row.covered, seconds)
  if (!compared)
    return (
      <>
        <p class="headline">{earned(total)}</p>
        {covered < 0.9 * seconds && <p class="quiet">Recorded for {duration(covered)} so far.</p>}
      </>
    )
  const { more, base, expected } = compared
  const isSame = Math.abs(more) < 0.02 * Math.max(base, 1)
  return (
    <>
      <p class="headline">
        {earned(total)}
        {isSame ? (
          expected ? (
            ', as expected'
          ) : (
            ', as usual'
          )
        ) : (
          <>
            , which is{' '}
            <span class={more > 0 ? 'good' : 'warn'}>
              {earned(Math.abs(more))} {more > 0 ? 'more' : 'less'}
            </span>{' '}
            than {expected ? 'expected' : 'usual'}
          </>
        )}
      </p>
      <p class="quiet">
        {expected
          ? `Expected ${earned(base)} (${earned(expected.low)} to ${earned(expected.high)}) from similar machines at your prices.${expected.unknown > 0 ? ` ${counted(expected.unknown, 'machine')} without an estimate ${expected.unknown === 1 ? 'counts' : 'count'} as earned.` : ''}`
          : `${earned(base)} in ${last} is the mean of the days before.`}
        {covered < 0.9 * seconds && ` Recorded for ${duration(covered)} so far.`}
      </p>
    </>
  )
}
