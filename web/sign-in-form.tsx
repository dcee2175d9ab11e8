import { useSignal } from '@preact/signals'
import type { QueryClient } from '@tanstack/preact-query'
import type { TargetedSubmitEvent } from 'preact'
import { toError } from '../contract/failure.ts'
import { requestJson } from './api/client.ts'
import type { User } from './api/queries.ts'
import { key, signIn } from './session.ts'

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

/** Signs in with a key. The account whose session has ended goes on where it was, with its figures; nothing is left to another one. */
export async function enter(queryClient: QueryClient, given: string, remember: boolean): Promise<void> {
  const user = await requestJson<User>('api/v0/users/current', { key: given })
  const before = key.value
  const isSame = queryClient.getQueryData<User>(['user', before])?.id === user.id
  if (!isSame) queryClient.clear()
  for (const { queryKey, state } of queryClient.getQueryCache().findAll())
    queryClient.setQueryData(
      queryKey.map((part) => (part === before ? given : part)),
      state.data,
      { updatedAt: 0 },
    )
  // The first page knows by it what the account may see.
  queryClient.setQueryData(['user', given], user)
  signIn(given, remember, isSame)
}
