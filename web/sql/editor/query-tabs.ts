import type { EditorState } from '@codemirror/state'
import { effect, type Signal, signal } from '@preact/signals'
import { type Draft, keepDrafts, readDrafts } from './draft.ts'

/** More would be lost sight of. */
export const mostTabs = 10

/** A text in the editor, one of several. */
export interface QueryTab {
  id: number
  text: Signal<string>
  values: Signal<Record<string, string>>
  /** With cursor and undo, of when it was shown last. */
  state?: EditorState
}

let lastId = 0
function tabOf({ text, values }: Draft): QueryTab {
  lastId += 1
  return { id: lastId, text: signal(text), values: signal(values) }
}

/** The tabs of the console, kept in the browser's session until it is signed out of. */
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
    /** Adds a tab behind the chosen one. undefined: there are as many as there can be. */
    open(draft: Draft): QueryTab | undefined {
      if (list.value.length >= mostTabs) return undefined
      const tab = tabOf(draft)
      list.value = list.value.toSpliced(list.value.indexOf(chosen.value) + 1, 0, tab)
      return tab
    },
    /** Takes a tab away that is not shown. */
    close(tab: QueryTab): void {
      list.value = list.value.filter((other) => other !== tab)
    },
    /** So many further, around the ends. */
    beside(steps: number): QueryTab {
      const { value: tabs } = list
      return tabs[(tabs.indexOf(chosen.value) + steps + tabs.length) % tabs.length] as QueryTab
    },
    stopKeeping,
  }
}

const longestTitle = 24

/** What a tab is called: by the comment that its text begins with, else by the text. */
export function titleOf(text: string): string {
  const words = (/^\s*--(.*)/.exec(text)?.[1] ?? text).replace(/\s+/g, ' ').trim()
  return words.length > longestTitle ? `${words.slice(0, longestTitle)}…` : words || 'Empty'
}
