import { count } from '../format.ts'

interface PagerProps {
  /** From 1. */
  page: number
  size: number
  /** Number of rows. */
  of: number
  onPage: (page: number) => void
}

/** The number of the shown page: at most the last one. */
export const pageWithin = (page: number, size: number, of: number): number =>
  Math.max(1, Math.min(page, Math.ceil(of / size)))

/** The controls for the pages of a long table. */
export function Pager({ page, size, of, onPage }: PagerProps) {
  if (of <= size) return null
  const last = Math.ceil(of / size)
  return (
    <nav class="pager" aria-label="Rows">
      {/* Not disabled: a button that is disabled loses the focus. */}
      <button
        type="button"
        class="secondary outline"
        aria-disabled={page === 1}
        onClick={() => page > 1 && onPage(page - 1)}
      >
        Previous
      </button>
      <span>
        {count((page - 1) * size + 1)} to {count(Math.min(of, page * size))} of {count(of)}
      </span>
      <button
        type="button"
        class="secondary outline"
        aria-disabled={page === last}
        onClick={() => page < last && onPage(page + 1)}
      >
        Next
      </button>
    </nav>
  )
}
