import { useDefinition } from './term.tsx'

interface SortHeadProps {
  /** The name of the column in the address. */
  name: string
  title: string
  /** The column that the table is sorted by. A `-` in front puts the highest first. */
  sort: string
  onSort: (sort: string) => void
  /** True if the first click puts the lowest first, as with names. */
  fromLowest: boolean
  class?: string
}

/** The head of a column: a click sorts by it, and its definition can be shown. */
export function SortHead({ name, title, sort, onSort, fromLowest, class: look }: SortHeadProps) {
  const { attributes, tip } = useDefinition(title)
  const isSorted = sort.replace('-', '') === name
  const isDescending = sort.startsWith('-')
  const first = fromLowest ? name : `-${name}`
  const other = isDescending ? name : `-${name}`
  return (
    <th
      scope="col"
      class={look}
      aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : undefined}
    >
      <button type="button" class="plain" {...attributes} onClick={() => onSort(isSorted ? other : first)}>
        {title}
        <span class="direction" aria-hidden="true">
          {isSorted && (isDescending ? '↓' : '↑')}
        </span>
      </button>
      {tip}
    </th>
  )
}
