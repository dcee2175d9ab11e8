import { useSignal } from '@preact/signals'
import { useUser } from '../../api/queries.ts'
import { Failure } from '../../components/failure.tsx'
import { Status } from '../../components/status.tsx'
import { useSaved, useSaving } from '../api.ts'
import type { SqlConsole } from '../console.ts'
import { QueryItem } from './query-list.tsx'

/** The visitor's saved queries, and the queries that other admins share. */
export function SavedPanel({ desk }: { desk: SqlConsole }) {
  const { data: user } = useUser()
  const saved = useSaved()
  const { data } = saved
  const { forget } = useSaving()
  const failure = useSignal('')

  async function remove(id: number, name: string): Promise<void> {
    if (!confirm(`Delete the query “${name}”?`)) return
    failure.value = await forget(id).then(
      () => '',
      (reason: Error) => reason.message,
    )
  }

  return (
    <>
      <Status of={[saved]} hasData={data !== undefined} />
      <Failure text={failure.value} />
      {data?.length === 0 && (
        <p class="quiet">
          No saved queries yet. “Save…” stores the text of the editor, for you or for all admins.
        </p>
      )}
      <ul class="queries">
        {data?.map(({ id, name, query, shared, user_id, username }) => {
          const isOwn = user_id === user?.id
          return (
            <QueryItem key={id} title={name} onOpen={() => desk.load(query)}>
              {isOwn ? (shared ? 'Yours, shared' : 'Yours') : `Shared by ${username}`}
              {isOwn && (
                <button
                  type="button"
                  class="small"
                  aria-label={`Delete ${name}`}
                  onClick={() => remove(id, name)}
                >
                  Delete
                </button>
              )}
            </QueryItem>
          )
        })}
      </ul>
    </>
  )
}
