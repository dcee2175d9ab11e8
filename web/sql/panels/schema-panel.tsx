import { troubleOf } from '../../api/queries.ts'
import { Status } from '../../components/status.tsx'
import { bytes, compact } from '../../sizes.ts'
import { type SqlTable, useSchema } from '../api.ts'
import type { SqlConsole } from '../console.ts'
import { shortType } from '../format.ts'

/** The tables and their columns. A click inserts a name at the cursor. */
export function SchemaPanel({ desk }: { desk: SqlConsole }) {
  const schema = useSchema()
  const { data } = schema
  if (troubleOf(schema)) return <Status of={[schema]} hasData={false} />
  if (!data) return <p aria-busy="true">Reading the schema</p>
  return (
    <>
      {data.tables.map((table) => (
        <Table key={table.name} table={table} desk={desk} isOpen={table.name === 'observations'} />
      ))}
    </>
  )
}

function Table({ table, desk, isOpen }: { table: SqlTable; desk: SqlConsole; isOpen: boolean }) {
  const { name, engine, comment, rows, bytes: size, columns } = table
  return (
    <details class="table" open={isOpen}>
      <summary>
        <span class="name">{name}</span> <small>{rows === null ? engine : `${compact(rows)} rows`}</small>
      </summary>
      {comment && <p>{comment}</p>}
      <p class="quiet">{[engine, size === null ? '' : bytes(size)].filter(Boolean).join(' · ')}</p>
      <div class="bar">
        <button
          type="button"
          class="small"
          aria-label={`Insert name: ${name}`}
          onClick={() => desk.insert(name)}
        >
          Insert name
        </button>
        <button
          type="button"
          class="small"
          aria-label={`Sample rows of ${name}`}
          onClick={() => desk.show(`SELECT * FROM ${name} LIMIT 20`)}
        >
          Sample rows
        </button>
      </div>
      <ul class="columns">
        {columns.map((column) => (
          <li key={column.name}>
            <button type="button" onClick={() => desk.insert(column.name)}>
              <span class="name">{column.name}</span>{' '}
              <small title={column.type}>{shortType(column.type)}</small>
            </button>
            {column.comment && <small class="comment">{column.comment}</small>}
          </li>
        ))}
      </ul>
    </details>
  )
}
