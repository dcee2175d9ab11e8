import { useQueryClient } from '@tanstack/preact-query'
import { requestJson } from './api/client.ts'
import type { User } from './api/queries.ts'
import { mailed, signedOutBecause, signIn } from './session.ts'
import { MailedForm, MailForm } from './sign-in-by-mail.tsx'
import { Remember, useSubmit } from './sign-in-form.tsx'

export const SignIn = () => (mailed.value ? <MailedForm {...mailed.value} /> : <KeyForm />)

/** Asks for an API key, and tests it before it is stored. */
function KeyForm() {
  const queryClient = useQueryClient()
  const { failure, busy, submit } = useSubmit(async (form) => {
    const given = String(form.get('key')).trim()
    if (!/^[\x21-\x7e]+$/.test(given)) throw new Error('This is not an API key')
    const user = await requestJson<User>('api/v0/users/current', { key: given })
    // The first page knows by it what the account may see.
    queryClient.setQueryData(['user', given], user)
    signIn(given, form.has('remember'))
  }, signedOutBecause.value)

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
          <Remember />
          <button type="submit" aria-busy={busy.value} disabled={busy.value}>
            Sign in
          </button>
        </form>
      </article>
      <MailForm />
    </main>
  )
}
