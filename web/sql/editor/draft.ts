import { attempt, draftName, keep, kept } from '../../storage.ts'
import { examples } from '../panels/examples.ts'

/** The content of the editor. */
export interface Draft {
  text: string
  /** Values of parameters by name. */
  values: Record<string, string>
}

/** The tabs of the editor, which survive a reload of the browser's tab. */
export interface Drafts {
  tabs: Draft[]
  /** The index of the shown tab. */
  chosen: number
}

export const keepDrafts = (drafts: Drafts): void => keep('sessionStorage', draftName, JSON.stringify(drafts))

/** The drafts from before a reload, otherwise an example. */
export function readDrafts(): Drafts {
  const before = attempt(() => {
    const { tabs, chosen } = JSON.parse(kept('sessionStorage', draftName) ?? '') as Drafts
    return { tabs: tabs.map(({ text, values }) => ({ text: `${text}`, values: { ...values } })), chosen }
  })
  return before?.tabs[before.chosen]
    ? before
    : { tabs: [{ text: examples[0]?.query ?? '', values: {} }], chosen: 0 }
}

/** The fragment of an address that fills the editor without running anything. Browsers never send the fragment to a server. */
export function fragmentOf({ text, values }: Draft): string {
  const given = Object.keys(values).length > 0 ? `&v=${encodeURIComponent(JSON.stringify(values))}` : ''
  return `#q=${encodeURIComponent(text)}${given}`
}

/** Takes the statement, and the values of its parameters, out of the page's address. */
export function takeLink(): Draft | undefined {
  const [, text, values] = /^#q=([^&]*)(?:&v=(.*))?$/.exec(location.hash) ?? []
  if (text === undefined) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  return attempt(() => ({
    text: decodeURIComponent(text),
    values: values ? valuesIn(decodeURIComponent(values)) : {},
  }))
}

/** Values by name. They come from a link, so any value that is not text is dropped. */
const valuesIn = (json: string): Record<string, string> =>
  Object.fromEntries(Object.entries(JSON.parse(json)).map(([name, value]) => [name, String(value)]))
