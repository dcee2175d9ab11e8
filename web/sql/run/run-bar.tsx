import { useRef } from 'preact/hooks'
import { CopyButton } from '../../components/copy-button.tsx'
import type { SqlConsole } from '../console.ts'
import { linkTo } from '../editor/draft.ts'
import { SaveDialog } from './save-dialog.tsx'

const runKey = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘ ⏎' : 'Ctrl ⏎'

/** The actions on the current statement, and its parameters. */
export function RunBar({ desk }: { desk: SqlConsole }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isRunning = desk.execution.value?.state === 'running'
  const isEmpty = desk.statement.value.text === ''
  return (
    <div class="run">
      <Parameters desk={desk} />
      <div class="bar">
        {isRunning ? (
          <button type="button" class="stop" onClick={desk.cancel}>
            Cancel
          </button>
        ) : (
          <button type="button" onClick={desk.start} disabled={isEmpty}>
            Run <kbd>{runKey}</kbd>
          </button>
        )}
        <button type="button" class="small" onClick={desk.explain} disabled={isEmpty || isRunning}>
          Explain
        </button>
        <span class="spring" />
        <button type="button" class="small" disabled={isEmpty} onClick={() => dialog.current?.showModal()}>
          Save…
        </button>
        <CopyButton label="Copy link" text={() => linkTo(desk.text.value)} />
      </div>
      <SaveDialog dialog={dialog} desk={desk} />
    </div>
  )
}

/** A field for each {name:Type} of the statement. */
function Parameters({ desk }: { desk: SqlConsole }) {
  const { parameters } = desk.statement.value
  if (parameters.length === 0) return null
  return (
    <fieldset class="parameters" aria-label="Parameters">
      {parameters.map(({ name, type }) => (
        <label key={name}>
          <span>
            {name} <small>{type}</small>
          </span>
          <input
            value={desk.values.value[name] ?? ''}
            onInput={({ currentTarget }) => {
              desk.values.value = { ...desk.values.value, [name]: currentTarget.value }
            }}
            onKeyDown={({ key, ctrlKey, metaKey }) => {
              if (key === 'Enter' && (ctrlKey || metaKey)) desk.start()
            }}
          />
        </label>
      ))}
    </fieldset>
  )
}
