import { Component, type ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Notice } from './notice.tsx'

/** Reports that a page failed instead of leaving it blank: a part that is gone after an update, or an error in the page. */
export class Boundary extends Component<{ children: ComponentChildren }, { error?: Error }> {
  static override getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    if (!this.state.error) return this.props.children
    return <Broken />
  }
}

function Broken() {
  useEffect(() => {
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [])
  return (
    <Notice title="Something went wrong">
      <p>
        Perhaps the network is away: the page comes back with it. Or rackrate was updated: loading the page
        again helps then.
      </p>
      <button type="button" onClick={reload}>
        Reload
      </button>
    </Notice>
  )
}

const reload = () => location.reload()
