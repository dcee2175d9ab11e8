/** A table for the terminal: the first column to the left, figures to the right. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, ...rows]
  const widths = heads.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? '').length)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return lines.map(line).join('\n')
}
