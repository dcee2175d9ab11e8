import { useLocation } from 'wouter-preact'
import { pages } from '../../contract/pages.ts'
import { useSources } from '../api/sources.ts'
import { chooseSource, source } from '../source.ts'

/** Each alert rule has a market of its own, and statements name the tables of each. */
const withoutSource: readonly string[] = [pages.alerts, pages.sql, pages.dashboards, pages.docs]

/** Chooses whose market the pages show, where the site records several. */
export function SourceSwitch() {
  const { data: sources = [] } = useSources()
  const [path] = useLocation()
  const [first, ...others] = sources
  if (first === undefined || others.length === 0 || withoutSource.includes(path)) return null
  return (
    <select
      class="source"
      aria-label="Source of the market"
      value={source ?? first.name}
      onChange={({ currentTarget: { value } }) => chooseSource(value === first.name ? undefined : value)}
    >
      {sources.map(({ name, problem }) => (
        <option key={name} value={name}>
          {problem === null ? name : `${name} (away)`}
        </option>
      ))}
    </select>
  )
}
