import { useSchema } from '../api.ts'
import type { SqlConsole } from '../console.ts'
import { exampleOfSources } from './example-of-sources.ts'
import { examples } from './examples.ts'
import { QueryItem } from './query-list.tsx'

/** The panel with example queries. */
export function ExamplesPanel({ desk }: { desk: SqlConsole }) {
  const { data: { tables = [] } = {} } = useSchema()
  return (
    <ul class="queries">
      {[...exampleOfSources(tables), ...examples].map(({ title, about, query, values }) => (
        <QueryItem key={title} title={title} onOpen={() => desk.load(query, values)}>
          {about}
        </QueryItem>
      ))}
    </ul>
  )
}
