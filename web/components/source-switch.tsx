import { useLocation } from 'wouter-preact'
import { pages } from '../../contract/pages.ts'
import { useSources } from '../api/sources.ts'
import { chooseSource, source } from '../source.ts'

/** Pages without the switch: an alert rule has its own market, and SQL statements name the tables of any market. */
const withoutSource: readonly string[] = [
  pages.alerts,
  pages.sql,
  pages.dashboards,
  pages.docs,
  pages.recording,
]

/** Chooses the market of the pages if the site records several, and warns if too small a share of it is seen. */
export function SourceSwitch() {
  const { data: sources = [] } = useSources()
  const [path] = useLocation()
  const [first, ...others] = sources
  if (first === undefined || withoutSource.includes(path)) return null
  const shown = source ?? first.name
  const notice = sources.find(({ name }) => name === shown)?.coverage?.notice
  return (
    <>
      {notice && (
        <small class="quiet" title={notice}>
          partly seen
        </small>
      )}
      {others.length > 0 && (
        <select
          class="source"
          aria-label="Source of the market"
          value={shown}
          onChange={({ currentTarget: { value } }) => chooseSource(value === first.name ? undefined : value)}
        >
          {sources.map(({ name, problem }) => (
            <option key={name} value={name}>
              {problem === null ? name : `${name} (away)`}
            </option>
          ))}
        </select>
      )}
    </>
  )
}
