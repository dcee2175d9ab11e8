import { Link } from 'wouter-preact'
import { pages } from '../../contract/pages.ts'
import { filtersOfClass } from '../api/history.ts'
import { SortHead } from '../components/sort-head.tsx'
import { deskOfClass, deskOfMachine } from '../desk/address.ts'
import { judgements, setReasons, shortReasons, shortSetReasons } from '../desk/words.ts'
import { change, counted, duration, earned, nothing, percent, price, tenth, wholePercent } from '../format.ts'
import { usualSort, type View, writeView } from '../view.ts'
import { columns } from './columns.ts'
import type { FleetRow } from './fleet.ts'
import { PriceScale } from './price-scale.tsx'
import type { BandOf } from './use-bands.ts'

interface FleetTableProps {
  view: View
  rows: readonly FleetRow[]
  bandOf: BandOf
  busy: boolean
  /** The newest snapshot, unix seconds. */
  slot: number
  onSort: (sort: string) => void
}

/** Own machines, or their classes; on a phone each is a card. */
export const FleetTable = ({ view, rows, bandOf, busy, slot, onSort }: FleetTableProps) => (
  <div class="listing fleet">
    <table aria-busy={busy}>
      <caption class="unseen">Own machines</caption>
      <thead>
        <tr>
          {columns.map(({ name, title, fromLowest = false }) => (
            <SortHead key={name} {...{ name, title, fromLowest, onSort }} sort={view.sort} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.key} {...{ view, row, bandOf, slot }} />
        ))}
      </tbody>
    </table>
  </div>
)

function Row({
  view,
  row,
  bandOf,
  slot,
}: Pick<FleetTableProps, 'view' | 'bandOf' | 'slot'> & { row: FleetRow }) {
  const { gpus, rented, occupancy, income, idleSince, rgi, noRgi } = row
  const [day, week, month] = occupancy
  return (
    <tr>
      <Name row={row} view={view} />
      <td data-title="Rented now">
        {rented} of {gpus}
        <span class="quiet">
          {idleSince !== null &&
            `${row.machines.length > 1 ? `${row.idle} idle` : 'idle'} ${duration(Math.max(0, slot - idleSince))}`}
        </span>
      </td>
      <td data-title="Occupancy, 7 days" class="lead">
        {percent(week)}
        <span class="quiet">
          1 d {wholePercent(day)}, 30 d {wholePercent(month)}
        </span>
      </td>
      <td data-title="Income, 30 days" class="lead">
        {earned(income[2])}
        <span class="quiet">
          1 d {earned(income[0])}, 7 d {earned(income[1])}
        </span>
      </td>
      <Price row={row} bandOf={bandOf} />
      <td data-title="RGI">
        {tenth(rgi)}
        <span class="quiet" title={noRgi ? setReasons[noRgi] : undefined}>
          {noRgi && shortSetReasons[noRgi]}
        </span>
      </td>
      <Advice row={row} view={view} />
    </tr>
  )
}

function Name({ row, view }: { row: FleetRow; view: View }) {
  const { machines, num_gpus, gpu_name, verified, hosting_type } = row
  const only = onlyOf(row, view)
  const charts = `${pages.charts}?${writeView({ ...view, gpus: [gpu_name], layout: 'one', page: 1, sort: usualSort, find: '' })}`
  return (
    <th scope="row">
      {only && `${only.id}: `}
      {num_gpus}× <Link href={charts}>{gpu_name}</Link>
      <span class="quiet">
        {[
          only ? (only.online ? 'online' : 'offline') : counted(machines.length, 'machine'),
          verified ? 'verified' : 'unverified',
          hosting_type.replace('_', ' '),
        ]
          .filter(Boolean)
          .join(', ')}
      </span>
    </th>
  )
}

const thinWords = 'The prices of its class come from fewer than 5 machines or fewer than 3 hosts'

function Price({ row, bandOf }: { row: FleetRow; bandOf: BandOf }) {
  const { prices } = row
  const [low, high] = [prices[0], prices.at(-1)]
  const band = bandOf(row)
  const over = band?.price_median && low !== undefined && low === high ? low / band.price_median - 1 : null
  return (
    <td data-title="Price">
      {low === undefined || high === undefined
        ? 'not listed'
        : low === high
          ? price(low)
          : `${price(low)} to ${price(high)}`}{' '}
      {over !== null && (
        <small class="over" title={band?.price_thin ? thinWords : undefined}>
          {change(over)}
          {band?.price_thin && ', thin'}
        </small>
      )}
      <span class="quiet">
        {band && <PriceScale prices={[...new Set(prices)]} market={band} />}
        {band === null && 'under 10 GPUs like it'}
      </span>
    </td>
  )
}

function Advice({ row, view }: { row: FleetRow; view: View }) {
  const { machines, judgement, gain, best, gpu_name, num_gpus } = row
  const only = onlyOf(row, view)
  const more = gain !== null && gain > 0 && `+${earned(gain)} a day`
  return (
    <td data-title="Advice">
      <Link
        href={
          only ? deskOfMachine(only.id, view.zone) : deskOfClass(gpu_name, filtersOfClass(row), view.zone)
        }
      >
        {only && judgement !== 'unknown' ? judgements[judgement] : 'Price it'}
        <span class="unseen">
          {only
            ? `: machine ${only.id}`
            : `: ${counted(machines.length, 'machine')} of ${num_gpus}× ${gpu_name}`}
        </span>
      </Link>
      <span class="quiet">
        {more && only && best !== null ? `${more} at ${price(best)}` : more}
        {gain === null && (only?.figures?.reason ? shortReasons[only.figures.reason] : nothing)}
      </span>
    </td>
  )
}

/** The machine of a row that is not of a class. */
const onlyOf = ({ machines }: FleetRow, view: View) => (view.rows === 'machines' ? machines[0] : undefined)
