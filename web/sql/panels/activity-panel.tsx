import { Status } from '../../components/status.tsx'
import { dateTime, nothing } from '../../format.ts'
import { bytes, compact } from '../../sizes.ts'
import { useQueries } from '../api.ts'
import type { SqlConsole } from '../console.ts'
import { tookText } from '../format.ts'
import { valuesOf } from '../parameters.ts'

/** The queries of all admins, how they ended, and their costs. */
export function ActivityPanel({ desk }: { desk: SqlConsole }) {
  const queries = useQueries(false)
  const { data, isFetching, refetch } = queries
  return (
    <>
      <div class="bar">
        <span class="quiet">The latest 100 queries of all admins</span>
        <span class="spring" />
        <button type="button" class="small" aria-busy={isFetching} onClick={() => refetch()}>
          Refresh
        </button>
      </div>
      <Status of={[queries]} hasData={data !== undefined} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard, also before there are queries */}
      <section class="sideways" tabIndex={0} aria-label="The latest queries">
        <table class="activity">
          <thead>
            <tr>
              <th scope="col">Who</th>
              <th scope="col">Statement</th>
              <th scope="col">Outcome</th>
              <th scope="col">Rows read</th>
              <th scope="col">Bytes read</th>
              <th scope="col">Time</th>
              <th scope="col">Memory</th>
            </tr>
          </thead>
          <tbody>
            {data?.map((one) => (
              <tr key={one.id}>
                <td class="who">
                  {one.username ?? 'Command line'} <small>{dateTime(one.started_at)}</small>
                </td>
                <td class="statement">
                  <button type="button" class="open code" onClick={() => desk.load(one.query, valuesOf(one))}>
                    {one.query}
                  </button>
                  {one.error && <small class="error">{one.error}</small>}
                </td>
                <td>
                  <span class={`outcome ${one.outcome}`}>{one.outcome}</span>
                </td>
                <td class="figure">{compact(one.read_rows)}</td>
                <td class="figure">{bytes(one.read_bytes)}</td>
                <td class="figure">
                  {one.duration_ms === null ? nothing : tookText(one.duration_ms / 1000)}
                </td>
                <td class="figure">{bytes(one.memory_usage)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}
