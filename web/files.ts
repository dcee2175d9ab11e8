/** A text that a spreadsheet would compute. Names of GPUs and places come from markets and catalogs. */
const isFormula = (text: string): boolean =>
  /^[=@\t\r\n]/.test(text) || (/^[+-]/.test(text) && Number.isNaN(Number(text)))

// A cell of CSV, quoted if necessary (RFC 4180).
const cell = (value: string | number | null): string => {
  const given = value === null ? '' : String(value)
  const text = isFormula(given) ? `'${given}` : given
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows as CSV; null: an empty cell. */
export const csvRows = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map((row) => `${row.map(cell).join()}\r\n`).join('')

/** Starts the download of a file. */
export function save(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
