import type { Signal } from '@preact/signals'
import { CopyButton } from './copy-button.tsx'

/** The secret of a new webhook, shown until the user confirms to have it. */
export function WebhookSecret({ secret }: { secret: Signal<string | null> }) {
  const text = secret.value
  if (text === null) return null
  return (
    <p class="banner" role="status">
      <strong>The webhook secret is shown only once.</strong> It proves that a message comes from here.
      <code class="secret">{text}</code>
      <CopyButton label="Copy" text={() => text} />{' '}
      <button type="button" class="plain" onClick={() => (secret.value = null)}>
        I have it
      </button>
    </p>
  )
}
