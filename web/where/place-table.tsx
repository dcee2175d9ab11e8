import { SortHead } from '../components/sort-head.tsx'
import { sorted } from '../components/sorting.ts'
import { change, count, counted, percent, price } from '../format.ts'
import type { PlaceWithWorth } from '../structure/place-worth.ts'
import { placeName } from './places.ts'

interface Column {
  name: string
  title: string
  of(row: PlaceWithWorth): string | number | null
  /** The order in which columns leave narrow screens. */
  need?: number
}

const columns: readonly Column[] = [
  { name: 'name', title: 'Place', of: ({ place }) => placeName(place) },
  { name: 'machines', title: 'Machines', of: ({ machines }) => machines, need: 3 },
  { name: 'gpus', title: 'GPUs', of: ({ gpus }) => gpus },
  { name: 'occupancy', title: 'Occupancy', of: ({ occupancy }) => occupancy },
  { name: 'rented', title: 'Rented median', of: ({ rented_median }) => rented_median },
  { name: 'worth', title: 'Worth', of: ({ premium }) => premium ?? null, need: 2 },
]

/** The columns that have a value in some row. */
const placeColumns = (rows: readonly PlaceWithWorth[]): readonly Column[] =>
  columns.filter(({ of }) => rows.some((row) => of(row) !== null))

interface PlaceTableProps {
  rows: readonly PlaceWithWorth[]
  by: 'country' | 'region'
  sort: string
  /** The number of own machines by place. */
  own: ReadonlyMap<string, number>
  onSort: (sort: string) => void
}

/** The figures of the map: a row for each place. */
export function PlaceTable({ rows, by, sort, own, onSort }: PlaceTableProps) {
  const shown = placeColumns(rows)
  const column = shown.find(({ name }) => name === sort.replace('-', '')) ?? columns[2]
  return (
    <div class="listing places">
      <table>
        <caption class="unseen">GPUs by {by}</caption>
        <thead>
          <tr>
            {shown.map(({ name, title, need }) => (
              <SortHead
                key={name}
                class={need === undefined ? name : `${name} need-${need}`}
                name={name}
                title={name !== 'name' ? title : by === 'country' ? 'Country' : 'Region'}
                sort={sort}
                onSort={onSort}
                fromLowest={name === 'name'}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted(rows, (row) => column?.of(row) ?? null, sort).map((row) => (
            <tr key={row.place}>
              <th scope="row">
                {placeName(row.place)}
                {own.has(row.place) && (
                  <>
                    {' '}
                    <span class="dot own" title={`${counted(own.get(row.place) ?? 0, 'machine')} of yours`} />
                    <span class="unseen">, {counted(own.get(row.place) ?? 0, 'machine')} of yours</span>
                  </>
                )}
              </th>
              {shown.slice(1).map(({ name, of, need }) => (
                <td key={name} class={need === undefined ? name : `${name} need-${need}`}>
                  {name === 'occupancy' && row.occupancy !== null && <Track share={row.occupancy} />}
                  {written(name, of(row))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function written(column: string, value: string | number | null): string {
  if (typeof value !== 'number') return ''
  if (column === 'occupancy') return percent(value)
  if (column === 'worth') return change(value)
  return column === 'rented' ? price(value) : count(value)
}

const Track = ({ share }: { share: number }) => (
  <svg class="track" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <rect width={share * 100} height="10" />
  </svg>
)
