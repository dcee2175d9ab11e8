import { Status } from '../../components/status.tsx'
import { dateTime } from '../../format.ts'
import { useQueries } from '../api.ts'
import type { SqlConsole } from '../console.ts'
import { rowsText, tookText } from '../format.ts'
import { valuesOf } from '../parameters.ts'
import { QueryItem } from './query-list.tsx'

/** The visitor's queries, newest first. */
export function HistoryPanel({ desk }: { desk: SqlConsole }) {
  const queries = useQueries(true)
  const { data } = queries
  return (
    <>
      <Status of={[queries]} hasData={data !== undefined} />
      {data?.length === 0 && <p class="quiet">Queries that you run are listed here.</p>}
      <ul class="queries">
        {data?.map((one) => (
          <QueryItem key={one.id} title={one.query} isCode onOpen={() => desk.load(one.query, valuesOf(one))}>
            <span class={`outcome ${one.outcome}`}>{one.outcome}</span> {dateTime(one.started_at)}
            {one.duration_ms !== null && ` · ${tookText(one.duration_ms / 1000)}`}
            {one.result_rows !== null && ` · ${rowsText(one.result_rows)}`}
          </QueryItem>
        ))}
      </ul>
    </>
  )
}
