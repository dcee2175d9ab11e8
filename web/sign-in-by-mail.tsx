import { useSignal } from '@preact/signals'
import { useQueryClient } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
import { requestJson } from './api/client.ts'
import { mailed } from './session.ts'
import { enter, Remember, useSubmit } from './sign-in-form.tsx'

const path = 'api/v0/auth/sign-in'
/** A placeholder key: without a session a refusal must not sign anyone out. */
const key = 'none'
const post = <T,>(path: string, body: object) => requestJson<T>(path, { method: 'POST', key, body })

/** Asks for an address, to which a link is mailed. Missing if the service sends no mail. */
export function MailForm() {
  const isOffered = useSignal(false)
  const answer = useSignal('')
  const request = useSignal('')
  const { failure, busy, submit } = useSubmit(async (form) => {
    answer.value = ''
    const email = String(form.get('email')).trim()
    const sent = await post<{ msg: string; request: string }>(`${path}/mail`, { email })
    answer.value = `${sent.msg} It is valid for 15 minutes.`
    request.value = sent.request
  })
  useEffect(() => {
    requestJson<{ by_mail: boolean }>(path, { key }).then(
      ({ by_mail }) => {
        isOffered.value = by_mail
      },
      () => {},
    )
  }, [isOffered])

  if (!isOffered.value) return null
  return (
    <article>
      <h2>Sign in by e-mail</h2>
      <form onSubmit={submit}>
        <label>
          E-mail address of your account
          <input
            name="email"
            type="email"
            required
            maxLength={254}
            autocomplete="email"
            aria-invalid={failure.value ? true : undefined}
            aria-describedby="mail-help"
          />
        </label>
        <small id="mail-help" role={failure.value ? 'alert' : 'status'}>
          {failure.value || answer.value || 'You get a link that signs this browser in.'}
        </small>
        <button type="submit" class="secondary" aria-busy={busy.value} disabled={busy.value}>
          Send a link
        </button>
      </form>
      {request.value && <CodeForm key={request.value} request={request.value} />}
    </article>
  )
}

/** Takes the short code of the mail, which may be read on another device. */
function CodeForm({ request }: { request: string }) {
  const { failure, busy, submit } = useSubmit(async (form) => {
    const typed = { code: String(form.get('code')).trim(), request }
    await post(`${path}/look`, typed)
    mailed.value = typed
  })
  return (
    <form onSubmit={submit}>
      <label>
        Code of the mail
        <input
          name="code"
          required
          maxLength={20}
          autocomplete="one-time-code"
          autocapitalize="characters"
          spellcheck={false}
          placeholder="ABCD-EFGH"
          aria-invalid={failure.value ? true : undefined}
          aria-describedby="code-help"
        />
      </label>
      <small id="code-help" role={failure.value ? 'alert' : undefined}>
        {failure.value || 'If you read the mail on another device, type its code here. Keep this page open.'}
      </small>
      <button type="submit" aria-busy={busy.value} disabled={busy.value}>
        Use the code
      </button>
    </form>
  )
}

interface Person {
  username: string
  email: string
  needs_second_factor: boolean
  totp_methods: { id: number; label: string }[]
}

/**
 * Signs in at a click, with the link that this tab was opened with or with a short code. The click is needed because programs that only open links
 * must not use the link up.
 */
export function MailedForm({ code, request }: { code: string; request?: string }) {
  const word = request ? 'code' : 'link'
  const queryClient = useQueryClient()
  const person = useSignal<Person | undefined>(undefined)
  const { failure, busy, submit } = useSubmit(async (form) => {
    const proof = String(form.get('proof') ?? '').trim()
    const method = Number(form.get('method'))
    const answer = await post<{ key: string }>(path, {
      code,
      request,
      ...(proof && { [/^\d{6}$/.test(proof) ? 'totp' : 'backup_code']: proof }),
      ...(method > 0 && /^\d{6}$/.test(proof) && { tfa_method_id: method }),
    })
    await enter(queryClient, answer.key, form.has('remember'))
  })
  useEffect(() => {
    person.value = undefined
    failure.value = ''
    post<Person>(`${path}/look`, { code, request }).then(
      (found) => {
        person.value = found
      },
      (error: Error) => {
        failure.value = error.message
      },
    )
  }, [code, request, person, failure])

  const { username, email, needs_second_factor, totp_methods = [] } = person.value ?? {}
  return (
    <main id="content" tabIndex={-1} class="narrow" aria-busy={!person.value && !failure.value}>
      <article>
        <h1>Sign in to rackrate</h1>
        {failure.value && (
          <p role="alert" class="banner trouble">
            {failure.value}
          </p>
        )}
        {person.value && (
          <form onSubmit={submit}>
            <p>
              The {word} was sent to <strong>{email}</strong>.
            </p>
            {needs_second_factor && <SecondFactor methods={totp_methods} isWrong={failure.value !== ''} />}
            <Remember />
            <button type="submit" aria-busy={busy.value} disabled={busy.value}>
              Sign in as <bdi>{username}</bdi>
            </button>
          </form>
        )}
        {/* The stored key is read again. */}
        <button type="button" class="secondary outline" onClick={() => location.reload()}>
          Go on without this {word}
        </button>
      </article>
    </main>
  )
}

function SecondFactor({ methods, isWrong }: { methods: Person['totp_methods']; isWrong: boolean }) {
  return (
    <>
      {methods.length > 1 && (
        <label>
          Authenticator app
          <select name="method">
            {methods.map(({ id, label }) => (
              <option key={id} value={id}>
                {label || `App ${id}`}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        {methods.length > 0 ? 'Code of your authenticator app, or a backup code' : 'Backup code'}
        <input
          name="proof"
          required
          maxLength={40}
          autocomplete="one-time-code"
          aria-invalid={isWrong ? true : undefined}
          aria-describedby="proof-help"
        />
      </label>
      <small id="proof-help">
        The account has a second factor. Codes by text message are not sent here. Without a code, sign in with
        an API key.
      </small>
    </>
  )
}
