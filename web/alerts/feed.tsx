import { useSignal } from '@preact/signals'
import { base } from '../api/client.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { useActions } from './api.ts'

/** The address of the feed, for programs that cannot send a key. */
export function Feed() {
  const { openFeed, closeFeed } = useActions()
  const address = useSignal('')
  const said = useSignal('')
  const act = (work: Promise<string>) =>
    work.then(
      (text) => {
        said.value = text
      },
      (error: Error) => {
        said.value = error.message
      },
    )
  const open = () =>
    openFeed().then(({ url }) => {
      address.value = new URL(url.replace(/^\//, ''), base).href
      return 'Anyone who knows this address can read your alerts. It is shown only once.'
    })
  const close = () =>
    closeFeed().then(() => {
      address.value = ''
      return 'The address is revoked.'
    })
  return (
    <>
      <p>All alerts as an Atom feed, for feed readers. A new address replaces the old one.</p>
      <p class="feed">
        <button type="button" class="secondary outline small" onClick={() => act(open())}>
          New address
        </button>{' '}
        <button type="button" class="secondary outline small" onClick={() => act(close())}>
          Revoke
        </button>{' '}
        <output aria-live="polite">{said.value}</output>
      </p>
      {address.value && (
        <p>
          <code class="secret">{address.value}</code> <CopyButton label="Copy" text={() => address.value} />
        </p>
      )}
    </>
  )
}
