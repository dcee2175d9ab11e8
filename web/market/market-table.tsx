import './market.css'
import { Link } from 'wouter-preact'
import type { Value } from '../charts/spec.ts'
import { Change } from '../components/change.tsx'
import { SortHead } from '../components/sort-head.tsx'
import { Sparkline } from '../components/sparkline.tsx'
import { Term } from '../components/term.tsx'
import type { MarketColumn, MarketTableRow } from './columns.ts'

/** More columns scroll sideways. */
const most = 10

interface MarketTableProps {
  columns: readonly MarketColumn[]
  rows: readonly MarketTableRow[]
  /** The figures are of another question, or on their way. */
  busy: boolean
  sort: string
  onSort: (sort: string) => void
  /** Where the charts of a GPU are. */
  hrefOf: (gpu: string) => string
}

/** The market now, a row for each GPU type; on a phone a card. */
export function MarketTable({ columns, rows, busy, sort, onSort, hrefOf }: MarketTableProps) {
  return (
    <div
      class={columns.length > most ? 'listing market many' : 'listing market'}
      tabIndex={columns.length > most ? 0 : undefined}
    >
      <table aria-busy={busy}>
        <caption class="unseen">GPU types now</caption>
        <thead>
          <tr>
            {columns.map(({ name, title, fromLowest = false }) => (
              <SortHead
                key={name}
                name={name}
                title={title}
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
                <Cell key={column.name} column={column} row={row} href={hrefOf(row.gpu.gpu_name)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cell({ column, row, href }: { column: MarketColumn; row: MarketTableRow; href: string }) {
  const value = column.of(row)
  if (column.name === 'name')
    return (
      <th scope="row" title={value as string}>
        <Link href={href} onKeyDown={onArrow}>
          {value}
        </Link>
        {row.sizes.length > 1 && (
          <span class="quiet" title="Several sizes of memory: the figures are of all of them together">
            {' '}
            {row.sizes.join('/')} GB
          </span>
        )}
      </th>
    )
  return (
    <td data-title={column.title} class={column.name === 'rented' ? 'lead' : undefined}>
      {column.name === 'week' ? (
        <>
          <Sparkline values={row.week} />
          {row.gpu.price_thin ? <Term name="thin" /> : <Change value={value as Value} />}
        </>
      ) : (
        column.write(value as Value)
      )}
    </td>
  )
}

/** Arrow keys go from GPU to GPU. */
function onArrow(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const links = [...document.querySelectorAll<HTMLElement>('.market tbody a')]
  const at = links.indexOf(event.currentTarget as HTMLElement)
  if (!step || at < 0) return
  event.preventDefault()
  links[at + step]?.focus()
}
