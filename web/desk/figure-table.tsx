import type { ComponentChildren } from 'preact'

interface FigureTableProps {
  /** A CSS class in addition to `listing`, which sets the layout on a phone. */
  class: string
  caption: string
  /** The heading of the first column, which names the rows. */
  head: string
  columns: readonly string[]
  rows: readonly { title: string; cells: readonly ComponentChildren[] }[]
}

/** Named rows of figures; on a phone each row is a card. */
export function FigureTable({ class: look, caption, head, columns, rows }: FigureTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
    <section class={`listing ${look}`} tabIndex={0} aria-label={caption}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {[head, ...columns].map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ title, cells }) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              {cells.map((cell, index) => (
                <td key={columns[index]} data-title={columns[index]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
