import { Link } from 'wouter-preact'
import { day } from '../../contract/durations.ts'
import { filtersInForce, filtersOfClass } from '../../contract/market-filter.ts'
import { pages } from '../../contract/pages.ts'
import type { OwnMachine } from '../api/queries.ts'
import { Icon } from '../components/icon.tsx'
import { outlines } from '../components/outlines.ts'
import { SortHead } from '../components/sort-head.tsx'
import { deskOfClass, deskOfMachine } from '../desk/address.ts'
import { daysCovered, setReasons, shortObstacles, shortSetReasons, troubles } from '../desk/words.ts'
import {
  change,
  count,
  counted,
  duration,
  earned,
  nothing,
  oneDecimal,
  percent,
  price,
  wholePercent,
} from '../format.ts'
import { usualSort, type View, writeView } from '../view.ts'
import type { Attention } from './attention.ts'
import { type Chosen, changeOf } from './choose-prices.tsx'
import { columnsShown, sortOf } from './columns.ts'
import type { FleetRow } from './fleet.ts'
import { PriceScale } from './price-scale.tsx'
import { earnedTitle, notFromSource, reallyEarnedWords } from './really-earned.ts'
import type { BandOf } from './use-bands.ts'

interface FleetTableProps {
  view: View
  rows: readonly FleetRow[]
  bandOf: BandOf
  busy: boolean
  /** The newest snapshot, unix seconds. */
  slot: number
  onSort: (sort: string) => void
  chosen: Chosen
}

/** The table of own machines, or of their classes. The advice is visible at every width. */
export function FleetTable({ view, rows, bandOf, busy, slot, onSort, chosen }: FleetTableProps) {
  const columns = columnsShown(rows)
  const names = columns.map(({ name }) => name)
  return (
    <div class="listing fleet">
      <table aria-busy={busy}>
        <caption class="unseen">Own machines</caption>
        <thead>
          <tr>
            {columns.map(({ name, title, need, fromLowest = false }) => (
              <SortHead
                key={name}
                class={need === undefined ? name : `${name} need-${need}`}
                name={name}
                title={title}
                fromLowest={fromLowest}
                onSort={onSort}
                sort={sortOf(view.sort)}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.key}
              view={view}
              row={row}
              bandOf={bandOf}
              slot={slot}
              chosen={chosen}
              shown={names}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({
  view,
  row,
  bandOf,
  slot,
  chosen,
  shown,
}: Pick<FleetTableProps, 'view' | 'bandOf' | 'slot' | 'chosen'> & {
  row: FleetRow
  /** The names of the columns. */
  shown: readonly string[]
}) {
  const { gpus, rented, occupancy, income, told, machines, idleSince, rgi, noRgi, covered } = row
  const [, week, month] = occupancy
  return (
    <tr>
      <Name row={row} view={view} chosen={chosen} />
      <Advice row={row} view={view} slot={slot} />
      <Price row={row} bandOf={bandOf} />
      <td class="need-1">
        {rented === null ? nothing : `${rented} of ${gpus}`}
        <span class="quiet">
          {rented === null && notFromSource}
          {idleSince !== null &&
            `${machines.length > 1 ? `${row.idle} ` : ''}${slot > idleSince ? `idle ${duration(slot - idleSince)}` : 'newly idle'}`}
        </span>
      </td>
      {shown.includes('occupancy') && (
        <td class="need-2">
          {week === null ? <span class="quiet">seen {daysCovered(covered)}</span> : percent(week)}
          <span class="quiet">
            {month !== null && covered > 7 * day && `${daysCovered(covered)} ${wholePercent(month)}`}
          </span>
        </td>
      )}
      <td class="need-1">
        {earned(income[1])}
        <span class="quiet">
          {income[1] === null
            ? notFromSource
            : covered > 7 * day && `${daysCovered(covered)} ${earned(income[2])}`}
        </span>
        {told && (
          <span class="quiet" title={earnedTitle}>
            actual {reallyEarnedWords(told)}
            {told.machines < machines.length && `, ${told.machines} of ${machines.length}`}
          </span>
        )}
      </td>
      {shown.includes('net') && <Net row={row} />}
      {shown.includes('rgi') && (
        <td class="need-3">
          {rgi !== null && oneDecimal(rgi)}
          <span class="quiet" title={noRgi ? setReasons[noRgi] : undefined}>
            {noRgi && shortSetReasons[noRgi]}
          </span>
        </td>
      )}
    </tr>
  )
}

function Name({ row, view, chosen }: { row: FleetRow; view: View; chosen: Chosen }) {
  const { machines, num_gpus, gpu_name } = row
  const only = onlyOf(row, view)
  // A class is distinguished by all of its properties, a machine by its number.
  const usual = only ? ['num_gpus', 'gpu_memory'] : ['num_gpus']
  const properties = filtersInForce(filtersOfClass(row)).filter(
    ([name, words]) => !usual.includes(name) && !(only && words === 'verified'),
  )
  const charts = `${pages.charts}?${writeView({ ...view, gpus: [gpu_name], layout: 'one', page: 1, sort: usualSort, find: '' })}`
  return (
    <th scope="row">
      {only && changeOf(only) && <Choice id={only.id} chosen={chosen} />}
      <span class="clip" title={gpu_name}>
        {num_gpus}× <Link href={charts}>{gpu_name}</Link>
      </span>
      <span class="quiet">
        {only ? only.id : counted(machines.length, 'machine')}
        <span class="kind">
          {[only && !only.online && 'offline', ...properties.map(([, words]) => words)]
            .filter(Boolean)
            .map((words) => ` · ${words}`)}
        </span>
      </span>
    </th>
  )
}

function Choice({ id, chosen }: { id: number; chosen: Chosen }) {
  function toggle(): void {
    const next = new Set(chosen.value)
    if (!next.delete(id)) next.add(id)
    chosen.value = next
  }
  return (
    <label class="choice">
      <input
        type="checkbox"
        aria-label={`Choose machine ${id}`}
        checked={chosen.value.has(id)}
        onChange={toggle}
      />
    </label>
  )
}

/** The expected net income at the present prices, and for a single machine the price at which it breaks even. */
function Net({ row: { machines, net, netOf } }: { row: FleetRow }) {
  const costs = machines.length === 1 ? machines[0]?.figures?.costs : undefined
  const { minimum_bid = null, break_even_price = null, payback_days = null } = costs ?? {}
  const after = payback_days && (payback_days.value === null ? 'never' : `${count(payback_days.value)} d`)
  const even =
    break_even_price === null ? '' : `breaks even ${price(break_even_price)}${after ? `, ${after}` : ''}`
  return (
    <td class="need-3" title={even || undefined}>
      {net === null ? <span class="quiet">no costs entered</span> : earned(net)}
      <span class="quiet">
        {machines.length > 1
          ? netOf > 0 && `${netOf} machines`
          : minimum_bid !== null && `min bid ${earned(minimum_bid)}`}
      </span>
      <span class="unseen">{even}</span>
    </td>
  )
}

const thinWords = 'The prices of its class come from fewer than 5 machines or fewer than 3 hosts'

function Price({ row, bandOf }: { row: FleetRow; bandOf: BandOf }) {
  const { prices } = row
  const [low, high] = [prices[0], prices.at(-1)]
  const band = bandOf(row)
  const over = band?.price_median && low !== undefined && low === high ? low / band.price_median - 1 : null
  return (
    <td>
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
        {band === null && <span class="too-few">few similar machines</span>}
      </span>
    </td>
  )
}

function Advice({ row, view, slot }: { row: FleetRow; view: View; slot: number }) {
  const { machines, attention, cost, gpu_name, num_gpus } = row
  const only = onlyOf(row, view)
  const [first] = attention
  const isKept = only && (row.verdict === 'keep' || row.verdict === 'unknown')
  const isGain = first?.trouble === 'dear' || first?.trouble === 'cheap'
  return (
    <td class="advice">
      <Link
        class={first ? (isGain ? undefined : 'bad') : isKept ? 'kept' : undefined}
        href={
          only ? deskOfMachine(only.id, view.zone) : deskOfClass(gpu_name, filtersOfClass(row), view.zone)
        }
      >
        {isKept && row.verdict === 'keep' && !first && <Icon outline={outlines.check} />}
        {only ? adviceOf(only, row, first) : 'See the prices'}
        <span class="unseen">
          {only
            ? `: machine ${only.id}`
            : `: ${counted(machines.length, 'machine')} of ${num_gpus}× ${gpu_name}`}
        </span>
      </Link>
      <span class={isGain && only ? 'quiet good' : 'quiet'} title={only?.figures?.advice.reason}>
        {only
          ? wordsOn(only, first, slot)
          : cost !== null && `${earned(cost)} a day, ${attention.length} of ${machines.length}`}
      </span>
    </td>
  )
}

/** The advice on one machine in a few words. */
function adviceOf({ figures }: OwnMachine, { verdict }: FleetRow, attention: Attention | undefined): string {
  const to = price(figures?.advice.price)
  if (attention?.trouble === 'dear') return `Lower to ${to}`
  if (attention?.trouble === 'cheap') return `Raise to ${to}`
  if (attention) return troubles[attention.trouble]
  if (verdict === 'keep') return 'Keep'
  if (verdict === 'unknown') return 'Not known'
  return verdict === 'try' ? `Try ${to}` : `Start at ${to}`
}

/** The gain or the loss, or the reason why nothing is recommended. */
function wordsOn({ figures }: OwnMachine, attention: Attention | undefined, slot: number): string {
  const { obstacle = null, trial = null } = figures?.advice ?? {}
  if (!attention) {
    if (obstacle) return shortObstacles[obstacle]
    return trial ? `${counted(trial.days, 'day')}, costs at most ${earned(trial.cost)}` : ''
  }
  const { trouble, aDay, since } = attention
  if (trouble === 'dear' || trouble === 'cheap')
    return aDay === null ? 'gain not known' : `+${earned(aDay)} a day`
  const lost = aDay === null ? 'loss not known' : aDay === 0 ? 'nothing lost' : `${earned(aDay)} a day lost`
  return since === null ? lost : `${slot > since ? duration(slot - since) : 'just now'}, ${lost}`
}

/** The machine of a row, if the row is not a class. */
const onlyOf = ({ machines }: FleetRow, view: View) => (view.rows === 'machines' ? machines[0] : undefined)
