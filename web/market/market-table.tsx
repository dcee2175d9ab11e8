import type { TargetedKeyboardEvent } from 'preact'
import './market.css'
import { Link } from 'wouter-preact'
import type { Value } from '../charts/spec.ts'
import { Change } from '../components/change.tsx'
import { SortHead } from '../components/sort-head.tsx'
import { Sparkline } from '../components/sparkline.tsx'
import { Term } from '../components/term.tsx'
import { percent } from '../format.ts'
import { type MarketColumn, type MarketTableRow, share } from './columns.ts'

/** With more columns than this the table scrolls sideways. */
const most = 10

interface MarketTableProps {
  columns: readonly MarketColumn[]
  rows: readonly MarketTableRow[]
  /** True if the figures belong to an earlier query or are being read. */
  busy: boolean
  sort: string
  onSort: (sort: string) => void
  /** The address of a GPU's charts. */
  hrefOf: (gpu: string) => string
  /** GPU names of own machines. */
  own: ReadonlySet<string>
}

/** The present market with a row for each GPU type. On a phone a row has the name, the course and the price. */
export function MarketTable({ columns, rows, busy, sort, onSort, hrefOf, own }: MarketTableProps) {
  return (
    <div
      class={columns.length > most ? 'listing market many' : 'listing market'}
      tabIndex={columns.length > most ? 0 : undefined}
    >
      <table aria-busy={busy}>
        <caption class="unseen">GPU types now</caption>
        <thead>
          <tr>
            {columns.map(({ fromLowest = false, ...column }) => (
              <SortHead
                key={column.name}
                class={lookOf(column)}
                name={column.name}
                title={column.title}
                sort={sort}
                onSort={onSort}
                fromLowest={fromLowest}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.gpu.gpu_name}>
              {columns.map((column) => (
                <Cell
                  key={column.name}
                  column={column}
                  row={row}
                  href={hrefOf(row.gpu.gpu_name)}
                  isOwn={own.has(row.gpu.gpu_name)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const lookOf = ({ name, need }: Pick<MarketColumn, 'name' | 'need'>): string =>
  need === undefined ? name : `${name} need-${need}`

/** The mark of a GPU type of own machines. */
export const OwnDot = () => <i class="own-dot" title="You have machines of this type" />

interface CellProps {
  column: MarketColumn
  row: MarketTableRow
  href: string
  isOwn: boolean
}

function Cell({ column, row, href, isOwn }: CellProps) {
  const value = column.of(row)
  if (column.name === 'name')
    return (
      <th scope="row" title={value as string}>
        <Link href={href} onKeyDown={onArrow}>
          {value}
        </Link>
        {row.sizes.length > 0 && (
          <span
            class="quiet"
            title={
              row.sizes.length > 1
                ? 'Several sizes of memory: the figures are of all of them together'
                : undefined
            }
          >
            {' '}
            {row.sizes.join('/')} GB
          </span>
        )}
        {isOwn && <OwnDot />}
        <span class="quiet of-phone">{percent(share(row.gpu.usage))} rented</span>
      </th>
    )
  return (
    <td class={column.name === 'rented' ? 'rented lead' : lookOf(column)}>
      {column.name === 'week' ? (
        <>
          <Sparkline values={row.week} />
          {row.gpu.price_thin ? (
            <span class="change">
              <Term name="thin" />
            </span>
          ) : (
            <Change value={value as Value} />
          )}
        </>
      ) : (
        <>
          {column.name === 'occupancy' && <Track share={value as Value} />}
          {column.write(value as Value)}
          {column.name === 'rented' && (
            <span class="of-phone">
              {row.gpu.price_thin || row.gpu.price_change_7d === null ? (
                ''
              ) : (
                <Change value={share(row.gpu.price_change_7d)} />
              )}
            </span>
          )}
        </>
      )}
    </td>
  )
}

/** A share as a bar beside its figure. */
const Track = ({ share }: { share: Value }) => (
  <svg class="track" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <rect width={(share ?? 0) * 100} height="10" />
  </svg>
)

/** Arrow keys go from GPU to GPU. */
function onArrow(event: TargetedKeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const links = [...document.querySelectorAll<HTMLElement>('.market tbody a')]
  const at = links.indexOf(event.currentTarget)
  if (!step || at < 0) return
  event.preventDefault()
  links[at + step]?.focus()
}
