import { useQueryClient } from '@tanstack/preact-query'
import { useLayoutEffect } from 'preact/hooks'
import { mailed, signedOutBecause } from './session.ts'
import { MailedForm, MailForm } from './sign-in-by-mail.tsx'
import { enter, Remember, useSubmit } from './sign-in-form.tsx'

export function SignIn() {
  useLayoutEffect(closeDialogs, [])
  return mailed.value ? <MailedForm {...mailed.value} /> : <KeyForm />
}

/** Closes the open dialogs, below which nothing can be pressed. Returns a function that opens them again, as they were. */
function closeDialogs(): () => void {
  const open = [...document.querySelectorAll<HTMLDialogElement>('.session dialog[open]')]
  for (const dialog of open) {
    // The page is not to know.
    dialog.addEventListener('close', (event) => event.stopImmediatePropagation(), {
      capture: true,
      once: true,
    })
    dialog.close()
  }
  return () => {
    for (const dialog of open) if (dialog.isConnected) dialog.showModal()
  }
}

/** Asks for an API key, and tests it before it is stored. */
function KeyForm() {
  const queryClient = useQueryClient()
  const { failure, busy, submit } = useSubmit(async (form) => {
    const given = String(form.get('key')).trim()
    if (!/^[\x21-\x7e]+$/.test(given)) throw new Error('This is not an API key')
    await enter(queryClient, given, form.has('remember'))
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
