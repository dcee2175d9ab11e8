import './sql.css'
import './panels/panels.css'
import './panels/schema.css'
import './panels/queries.css'
import './run/run.css'
import './result/result.css'
import './result/grid.css'
import './result/bars.css'
import { useSignal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { PageHead } from '../components/page-head.tsx'
import { createConsole } from './console.ts'
import { EditorField } from './editor/editor-field.tsx'
import { ActivityPanel } from './panels/activity-panel.tsx'
import { ExamplesPanel } from './panels/examples-panel.tsx'
import { HistoryPanel } from './panels/history-panel.tsx'
import { SavedPanel } from './panels/saved-panel.tsx'
import { SchemaPanel } from './panels/schema-panel.tsx'
import { Tabs } from './panels/tabs.tsx'
import { Result } from './result/result.tsx'
import { RunBar } from './run/run-bar.tsx'
import { TabBar } from './run/tab-bar.tsx'

const panels = {
  Schema: SchemaPanel,
  Examples: ExamplesPanel,
  Saved: SavedPanel,
  History: HistoryPanel,
  Activity: ActivityPanel,
}
type Panel = keyof typeof panels

/** The SQL console: an editor, the result, and a sidebar with the schema and queries. */
export function SqlPage() {
  const [desk] = useState(createConsole)
  const chosen = useSignal<string>('Schema')
  // Open initially if there is room for both.
  const isOpen = useSignal(matchMedia('(min-width: 60rem)').matches)
  useEffect(() => desk.close, [desk])
  const Panel = panels[chosen.value as Panel]

  return (
    <main id="content" tabIndex={-1} class="sql" data-panel={isOpen.value ? chosen.value : 'none'}>
      <PageHead title="Data" />
      <aside aria-label="Help with queries">
        <button
          type="button"
          class="small fold"
          aria-expanded={isOpen.value}
          aria-label={isOpen.value ? 'Hide the sidebar' : undefined}
          onClick={() => {
            isOpen.value = !isOpen.value
          }}
        >
          {isOpen.value ? '✕' : 'Schema, examples, history'}
        </button>
        {isOpen.value && (
          <Tabs label="Help with queries" names={Object.keys(panels)} chosen={chosen}>
            <Panel desk={desk} />
          </Tabs>
        )}
      </aside>
      <div class="desk">
        <section class="ask" aria-label="Query">
          <TabBar desk={desk} />
          <EditorField desk={desk} />
          <RunBar desk={desk} />
        </section>
        <Result desk={desk} />
      </div>
    </main>
  )
}
