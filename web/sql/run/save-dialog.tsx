import { useSignal } from '@preact/signals'
import type { RefObject, TargetedSubmitEvent } from 'preact'
import { toError } from '../../../contract/failure.ts'
import { useSaving } from '../api.ts'
import type { SqlConsole } from '../console.ts'

interface SaveDialogProps {
  dialog: RefObject<HTMLDialogElement>
  desk: SqlConsole
}

/** The dialog that saves the text of the editor under a name. An own query with the name is replaced. */
export function SaveDialog({ dialog, desk }: SaveDialogProps) {
  const { save } = useSaving()
  const failure = useSignal('')

  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const name = String(form.get('name')).trim()
    try {
      await save({ name, query: desk.text.value, shared: form.has('shared') })
      failure.value = ''
      dialog.current?.close()
    } catch (error) {
      failure.value = toError(error).message
    }
  }

  return (
    <dialog ref={dialog} aria-labelledby="save-title">
      <article>
        <h2 id="save-title">Save this query</h2>
        <form onSubmit={submit}>
          <label>
            Name
            <input name="name" required maxLength={200} autocomplete="off" />
          </label>
          <label>
            <input name="shared" type="checkbox" /> Share with all admins
          </label>
          <small role={failure.value ? 'alert' : undefined}>
            {failure.value || 'Replaces your query of the same name.'}
          </small>
          <div class="bar">
            <span class="spring" />
            <button type="button" class="small" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
            <button type="submit">Save</button>
          </div>
        </form>
      </article>
    </dialog>
  )
}
