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
      <p>If the network is down, the page returns with it. If rackrate was updated, reload the page.</p>
      <button type="button" onClick={reload}>
        Reload
      </button>
    </Notice>
  )
}

const reload = () => location.reload()
