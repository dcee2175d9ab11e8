import { Component, type ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { base } from '../api/client.ts'
import { pauses } from '../api/return.ts'
import { Notice } from './notice.tsx'

/** Reports that a page failed instead of leaving it blank: a script that is missing after an update, or an error in the page. */
export class Boundary extends Component<{ children: ComponentChildren }, { error?: Error }> {
  static override getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    if (!this.state.error) return this.props.children
    return <Broken />
  }
}

/** Loads the page again once the service is back after it was away. An error with another cause stays, so that the page does not reload endlessly. */
function Broken() {
  useEffect(() => {
    const ending = new AbortController()
    addEventListener('online', reload, { signal: ending.signal })
    reloadWhenBack(ending.signal)
    return () => ending.abort()
  }, [])
  return (
    <Notice title={navigator.onLine ? 'Something went wrong' : 'You are offline'}>
      <p>
        {navigator.onLine
          ? 'If the service is away, the page returns with it. If rackrate was updated, reload the page.'
          : 'This page opens as soon as the connection is back.'}
      </p>
      <button type="button" onClick={reload}>
        Reload
      </button>
    </Notice>
  )
}

const reload = () => location.reload()

async function reloadWhenBack(signal: AbortSignal): Promise<void> {
  const answers = () =>
    fetch(base, { method: 'HEAD', cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    )
  if (await answers()) return
  for await (const _pause of pauses(signal)) if (await answers()) return signal.aborted ? undefined : reload()
}
