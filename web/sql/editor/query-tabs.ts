import type { EditorState } from '@codemirror/state'
import { effect, type Signal, signal } from '@preact/signals'
import { type Draft, keepDrafts, readDrafts } from './draft.ts'

/** More tabs would be confusing. */
export const mostTabs = 10

/** One of several texts in the editor. */
export interface QueryTab {
  id: number
  text: Signal<string>
  values: Signal<Record<string, string>>
  /** The editor's state with cursor and undo history, from when the tab was last shown. */
  state?: EditorState
}

let lastId = 0
function tabOf({ text, values }: Draft): QueryTab {
  lastId += 1
  return { id: lastId, text: signal(text), values: signal(values) }
}

/** The tabs of the console, stored in the browser's session until the sign-out. */
export function createTabs() {
  const before = readDrafts()
  const list = signal<readonly QueryTab[]>(before.tabs.slice(0, mostTabs).map(tabOf))
  const chosen = signal(list.value[before.chosen] ?? (list.value[0] as QueryTab))
  const stopKeeping = effect(() =>
    keepDrafts({
      tabs: list.value.map(({ text, values }) => ({ text: text.value, values: values.value })),
      chosen: list.value.indexOf(chosen.value),
    }),
  )
  return {
    list,
    chosen,
    /** Adds a tab after the chosen one. undefined: the limit is reached. */
    open(draft: Draft): QueryTab | undefined {
      if (list.value.length >= mostTabs) return undefined
      const tab = tabOf(draft)
      list.value = list.value.toSpliced(list.value.indexOf(chosen.value) + 1, 0, tab)
      return tab
    },
    /** Removes a tab that is not shown. */
    close(tab: QueryTab): void {
      list.value = list.value.filter((other) => other !== tab)
    },
    /** The tab this many steps further, continuing at the other end. */
    beside(steps: number): QueryTab {
      const { value: tabs } = list
      return tabs[(tabs.indexOf(chosen.value) + steps + tabs.length) % tabs.length] as QueryTab
    },
    stopKeeping,
  }
}

const longestTitle = 24

/** The title of a tab: the comment at the beginning of its text, or the text. */
export function titleOf(text: string): string {
  const words = (/^\s*--(.*)/.exec(text)?.[1] ?? text).replace(/\s+/g, ' ').trim()
  return words.length > longestTitle ? `${words.slice(0, longestTitle)}…` : words || 'Empty'
}
