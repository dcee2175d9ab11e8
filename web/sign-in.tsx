import { useSignal } from '@preact/signals'
import { requestJson } from './api/client.ts'
import type { User } from './api/queries.ts'
import { signedOutBecause, signIn } from './session.ts'

/** Asks for an API key and tries it before it is kept. */
export function SignIn() {
  const failure = useSignal(signedOutBecause.value)
  const busy = useSignal(false)

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    const given = String(form.get('key')).trim()
    if (!/^[\x21-\x7e]+$/.test(given)) {
      failure.value = 'This is not an API key'
      return
    }
    busy.value = true
    failure.value = ''
    try {
      await requestJson<User>('api/v0/users/current', { key: given })
      signIn(given, form.has('remember'))
    } catch (error) {
      failure.value = (error as Error).message
      busy.value = false
    }
  }

  return (
    <main id="content" tabIndex={-1} class="narrow">
      <article>
        <h1>Sign in to rackrate</h1>
        <p>GPU rental prices, supply and occupancy, for hosts and admins.</p>
        <form onSubmit={submit}>
          <label>
            API key
            <input
              name="key"
              type="password"
              required
              maxLength={190}
              autocomplete="off"
              placeholder="rr_…"
              aria-invalid={failure.value ? true : undefined}
              aria-describedby="sign-in-help"
            />
          </label>
          <small id="sign-in-help" role={failure.value ? 'alert' : undefined}>
            {failure.value || 'Stored in this browser and sent to this service only.'}
          </small>
          <label>
            <input name="remember" type="checkbox" /> Remember it on this device, not only in this tab
          </label>
          <button type="submit" aria-busy={busy.value} disabled={busy.value}>
            Sign in
          </button>
        </form>
      </article>
    </main>
  )
}
