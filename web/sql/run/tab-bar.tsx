import { useEffect } from 'preact/hooks'
import type { SqlConsole } from '../console.ts'
import { mostTabs, titleOf } from '../editor/query-tabs.ts'

/** The tabs of the editor. Arrow keys choose among them; Alt+N, Alt+W and Alt+Page Down work everywhere on the page. */
export function TabBar({ desk }: { desk: SqlConsole }) {
  const { list, chosen, beside } = desk.tabs
  const open = () => desk.open({ text: '', values: {} })

  useEffect(() => {
    const acts: Record<string, () => void> = {
      KeyN: open,
      KeyW: desk.closeTab,
      PageDown: () => desk.showTab(beside(1)),
      PageUp: () => desk.showTab(beside(-1)),
    }
    const onKeyDown = (event: KeyboardEvent) => {
      const act = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && acts[event.code]
      if (!act || document.querySelector('dialog[open]')) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [desk])

  function onKeyDown({ key }: KeyboardEvent): void {
    const steps = { ArrowLeft: -1, ArrowRight: 1 }[key]
    if (steps === undefined) return
    desk.showTab(beside(steps))
    document.getElementById(idOf(chosen.value.id))?.focus()
  }

  return (
    <div class="query-tabs">
      <div role="tablist" aria-label="Queries" onKeyDown={onKeyDown}>
        {list.value.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={idOf(tab.id)}
            aria-selected={tab === chosen.value}
            aria-controls={queryPanel}
            tabIndex={tab === chosen.value ? 0 : -1}
            onClick={() => desk.showTab(tab)}
          >
            {titleOf(tab.text.value)}
          </button>
        ))}
      </div>
      <button
        type="button"
        aria-label="New query"
        title="New query (Alt+N)"
        aria-keyshortcuts="Alt+N"
        disabled={list.value.length >= mostTabs}
        onClick={open}
      >
        +
      </button>
      <button
        type="button"
        aria-label="Close the query"
        title="Close the query (Alt+W)"
        aria-keyshortcuts="Alt+W"
        onClick={desk.closeTab}
      >
        ✕
      </button>
    </div>
  )
}

export const queryPanel = 'query-panel'
export const idOf = (id: number) => `query-${id}`
