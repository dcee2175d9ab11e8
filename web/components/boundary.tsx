import { Component, type ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { base } from '../api/client.ts'
import { pauses } from '../api/return.ts'
import { Notice } from './notice.tsx'
import { MissingPart } from './on-demand.tsx'

/** Reports that a page failed instead of leaving it blank: a script that is missing after an update, or an error in the page. */
export class Boundary extends Component<{ children: ComponentChildren }, { error?: Error }> {
  static override getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    if (!this.state.error) return this.props.children
    return <Broken isMissing={this.state.error instanceof MissingPart} />
  }
}

/**
 * Loads the page again once the service is back after it was away, and at once if a script is missing: another release has other scripts. An error
 * that is still there stays, so that the page does not reload endlessly.
 */
function Broken({ isMissing }: { isMissing: boolean }) {
  useEffect(() => {
    const ending = new AbortController()
    addEventListener('online', reload, { signal: ending.signal })
    reloadWhenBack(ending.signal, isMissing)
    return () => ending.abort()
  }, [])
  return (
    <Notice title={navigator.onLine ? 'Something went wrong' : 'You are offline'}>
      <p>
        {navigator.onLine
          ? 'A part of this page failed. If the service is away, the page returns with it.'
          : 'This page opens as soon as the connection is back.'}
      </p>
      <button type="button" onClick={reload}>
        Reload
      </button>
    </Notice>
  )
}

const reload = () => location.reload()

/** Reloads the page, unless this release was reloaded here before. The entry of the history survives, whatever the browser may store. */
function reloadOnce(): void {
  const before: string[] = history.state?.reloaded ?? []
  if (before.includes(import.meta.url)) return
  history.replaceState({ ...history.state, reloaded: [...before, import.meta.url] }, '')
  reload()
}

async function reloadWhenBack(signal: AbortSignal, isMissing: boolean): Promise<void> {
  const answers = () =>
    fetch(base, { method: 'HEAD', cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    )
  if (await answers()) return isMissing ? reloadOnce() : undefined
  for await (const _pause of pauses(signal)) if (await answers()) return signal.aborted ? undefined : reload()
}
