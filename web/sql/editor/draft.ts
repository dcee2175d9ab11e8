import { draftName, keep, kept } from '../../storage.ts'
import { examples } from '../panels/examples.ts'

/** What is being written: it survives a reload of the tab. */
export interface Draft {
  text: string
  /** What was given for parameters, by name. */
  values: Record<string, string>
}

export const keepDraft = (draft: Draft): void => keep('sessionStorage', draftName, JSON.stringify(draft))

/** From before a reload, else an example. */
export function readDraft(): Draft {
  const before = kept('sessionStorage', draftName)
  return before ? JSON.parse(before) : { text: examples[0]?.query ?? '', values: {} }
}

/** A link that fills the editor and runs nothing. Behind the #, so that no server gets to see it. */
export const linkTo = (text: string): string =>
  `${location.origin}${location.pathname}#q=${encodeURIComponent(text)}`

/** The statement in the page's address, which it's taken out of: from then on the editor's counts. */
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
