import { useSignal } from '@preact/signals'
import type { TargetedSubmitEvent } from 'preact'
import type { Claim } from '../../contract/claims.ts'
import { toError } from '../../contract/failure.ts'
import { Failure } from '../components/failure.tsx'
import { sentence } from '../format.ts'
import { useClaimActions } from './api.ts'

interface KeyFormProps {
  /** The source. */
  name: string
  /** null: nothing is claimed yet. A key then claims all of its machines. */
  claim: Claim | null
}

/** Stores the host's key at the marketplace, which proves the claim, or deletes it. */
export function KeyForm({ name, claim }: KeyFormProps) {
  const { write } = useClaimActions(name)
  const failure = useSignal('')
  const said = useSignal('')
  const busy = useSignal(false)
  const ids = { hosts: claim?.hosts ?? [], machines: claim?.machines ?? [] }
  const proof = claim?.proof ?? null

  async function save(key: string | null): Promise<boolean> {
    if (busy.value) return false
    busy.value = true
    failure.value = ''
    said.value = ''
    try {
      await write(ids, key)
      said.value = key === null ? 'The key was removed.' : 'The key was saved. Earnings are read from now on.'
      return true
    } catch (error) {
      failure.value = sentence(toError(error).message)
      return false
    } finally {
      busy.value = false
    }
  }
  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget
    const given = String(new FormData(form).get('host-key')).trim()
    if (await save(given)) form.reset()
  }

  return (
    <>
      <h3>Prove it with your key</h3>
      <p class="quiet" id="host-key-help">
        An API key of your account at {name} proves the claim and shows what your machines actually earned.{' '}
        {claim ? '' : 'Without ids, all machines of the key are claimed. '}The permissions machine_read and
        billing_read are enough. The key is tested first, stored encrypted, and never shown.
      </p>
      <form class="filters" onSubmit={submit}>
        <label>
          {proof ? 'New key of your account' : 'Key of your account at the marketplace'}
          <input
            name="host-key"
            type="password"
            autocomplete="off"
            required
            minLength={8}
            maxLength={512}
            aria-invalid={failure.value ? true : undefined}
            aria-describedby="host-key-help"
          />
        </label>
        <button type="submit" aria-busy={busy.value}>
          Test and save
        </button>
        {proof && (
          <button type="button" class="secondary outline" disabled={busy.value} onClick={() => save(null)}>
            Remove key
          </button>
        )}
      </form>
      <Failure text={failure.value} />
      <p class="quiet" role="status">
        {said.value}
      </p>
    </>
  )
}
