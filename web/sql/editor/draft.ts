import { draftName, keep, kept } from '../../storage.ts'
import { examples } from '../panels/examples.ts'

/** The content of the editor, which survives a reload of the tab. */
export interface Draft {
  text: string
  /** Values of parameters by name. */
  values: Record<string, string>
}

export const keepDraft = (draft: Draft): void => keep('sessionStorage', draftName, JSON.stringify(draft))

/** The draft of before a reload, else an example. */
export function readDraft(): Draft {
  const before = kept('sessionStorage', draftName)
  return before ? JSON.parse(before) : { text: examples[0]?.query ?? '', values: {} }
}

/** A link that fills the editor and runs nothing. The statement follows the #, so it is never sent to a server. */
export const linkTo = (text: string): string =>
  `${location.origin}${location.pathname}#q=${encodeURIComponent(text)}`

/** Takes the statement out of the page's address. */
export function takeLink(): string | undefined {
  const given = /^#q=(.*)$/.exec(location.hash)?.[1]
  if (given === undefined) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  try {
    return decodeURIComponent(given)
  } catch {
    return undefined
  }
}
