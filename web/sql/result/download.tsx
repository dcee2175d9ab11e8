import { useSignal } from '@preact/signals'
import { toError } from '../../../contract/failure.ts'
import type { SqlFormat } from '../../../contract/sql-formats.ts'
import { base } from '../../api/client.ts'
import { askTicket } from '../api.ts'
import type { StatementRequest } from '../run/execution.ts'

/** The offered formats with their common names. */
const offered = {
  CSV: 'CSV',
  TSV: 'TSV',
  JSON: 'JSON',
  JSONEachRow: 'JSON lines',
  Parquet: 'Parquet',
  Arrow: 'Arrow',
} satisfies Partial<Record<SqlFormat, string>>

/** Runs a query again and streams all its rows to a file. */
export function Download({ question }: { question: StatementRequest }) {
  const failure = useSignal('')
  const format = useSignal('CSV')

  async function download(): Promise<void> {
    failure.value = ''
    try {
      const link = document.createElement('a')
      link.href = new URL(`.${await askTicket({ ...question, format: format.value })}`, base).href
      link.download = '' // the page stays, also if the answer is a failure
      link.click()
    } catch (error) {
      failure.value = toError(error).message
    }
  }

  return (
    <span class="download">
      {failure.value && <span role="alert">{failure.value}</span>}
      <select
        class="small"
        aria-label="Format of the download"
        value={format.value}
        onChange={({ currentTarget }) => {
          format.value = currentTarget.value
        }}
      >
        {Object.entries(offered).map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
      <button type="button" class="small" onClick={download}>
        Download
      </button>
    </span>
  )
}
