import type { SqlConsole } from '../console.ts'
import { examples } from './examples.ts'
import { QueryItem } from './query-list.tsx'

/** Queries to begin with. */
export function ExamplesPanel({ desk }: { desk: SqlConsole }) {
  return (
    <ul class="queries">
      {examples.map(({ title, about, query, values }) => (
        <QueryItem key={title} title={title} onOpen={() => desk.load(query, values)}>
          {about}
        </QueryItem>
      ))}
    </ul>
  )
}
