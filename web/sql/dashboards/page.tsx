import './dashboards.css'
import '../sql.css'
import '../result/bars.css'
import '../result/result.css'
import { useEffect } from 'preact/hooks'
import { useSearch } from 'wouter-preact'
import { Board } from './board.tsx'
import { BoardList } from './board-list.tsx'

/** Dashboards of saved queries: all of them, or the one in the address. */
export function DashboardsPage() {
  const search = useSearch()
  const id = /^\d{1,10}$/.exec(new URLSearchParams(search).get('id') ?? '')?.[0]
  useEffect(() => {
    if (id === undefined) document.title = 'Dashboards – rackrate'
  }, [id])
  return (
    <main id="content" tabIndex={-1} class="dashboards">
      {/* The styles of the console; its frame has the styles of its page. */}
      <div class="sql">{id === undefined ? <BoardList /> : <Board key={id} id={Number(id)} />}</div>
    </main>
  )
}
