import { useSignal } from '@preact/signals'
import type { TargetedSubmitEvent } from 'preact'
import { toError } from '../contract/failure.ts'

/** The submission of a form. `busy`: it is running; `failure`: the reason of a failure. */
export function useSubmit(work: (form: FormData) => Promise<void>, before = '') {
  const failure = useSignal(before)
  const busy = useSignal(false)
  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    busy.value = true
    failure.value = ''
    try {
      await work(new FormData(event.currentTarget))
    } catch (error) {
      failure.value = toError(error).message
    }
    busy.value = false
  }
  return { failure, busy, submit }
}

export const Remember = () => (
  <label>
    <input name="remember" type="checkbox" /> Keep me signed in on this device
  </label>
)
