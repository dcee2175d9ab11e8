import { Component, type ComponentChildren } from 'preact'
import { Notice } from './notice.tsx'

/** Reports that a page failed instead of leaving it blank: a part that is gone after an update, or an error in the page. */
export class Boundary extends Component<{ children: ComponentChildren }, { error?: Error }> {
  static override getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    if (!this.state.error) return this.props.children
    return (
      <Notice title="Something went wrong">
        <p>
          Perhaps the network was away, or rackrate was updated meanwhile. Loading the page again helps then.
        </p>
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </Notice>
    )
  }
}
