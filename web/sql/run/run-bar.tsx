import { useEffect, useRef } from 'preact/hooks'
import { CopyButton } from '../../components/copy-button.tsx'
import type { SqlConsole } from '../console.ts'
import { fragmentOf } from '../editor/draft.ts'
import { DashboardDialog } from './dashboard-dialog.tsx'
import { SaveDialog } from './save-dialog.tsx'

const runKey = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘ ⏎' : 'Ctrl ⏎'

/** The actions on the current statement, and its parameters. */
export function RunBar({ desk }: { desk: SqlConsole }) {
  const saving = useRef<HTMLDialogElement>(null)
  const adding = useRef<HTMLDialogElement>(null)
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
        <button type="button" class="small" onClick={desk.format} disabled={isEmpty}>
          Format
        </button>
        {desk.notice.value && (
          <span class="notice" role="alert">
            {desk.notice.value}
          </span>
        )}
        <span class="spring" />
        <button type="button" class="small" disabled={isEmpty} onClick={() => saving.current?.showModal()}>
          Save…
        </button>
        <button type="button" class="small" disabled={isEmpty} onClick={() => adding.current?.showModal()}>
          Add to a dashboard…
        </button>
        <CopyButton label="Copy link" text={() => linkTo(desk)} />
      </div>
      <SaveDialog dialog={saving} desk={desk} />
      <DashboardDialog dialog={adding} desk={desk} />
    </div>
  )
}

const linkTo = ({ text, values, statement }: SqlConsole): string => {
  const used = statement.value.parameters.map(({ name }) => [name, values.value[name] ?? ''])
  const end = fragmentOf({ text: text.value, values: Object.fromEntries(used) })
  return `${location.origin}${location.pathname}${end}`
}

/** A field for each {name:Type} of the statement. */
function Parameters({ desk }: { desk: SqlConsole }) {
  const { parameters } = desk.statement.value
  const asked = desk.asks.value ? desk.missing.value[0] : undefined
  const fields = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    fields.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [desk.asks.value])
  if (parameters.length === 0) return null
  return (
    <fieldset class="parameters" aria-label="Parameters" ref={fields}>
      {parameters.map(({ name, type }) => (
        <label key={name}>
          <span>
            {name} <small>{type}</small>
          </span>
          <input
            value={desk.values.value[name] ?? ''}
            aria-invalid={name === asked?.name || undefined}
            onInput={({ currentTarget }) => desk.setValues({ [name]: currentTarget.value })}
            onKeyDown={({ key, ctrlKey, metaKey }) => {
              if (key === 'Enter' && (ctrlKey || metaKey)) desk.start()
            }}
          />
        </label>
      ))}
      {asked && (
        <span class="notice" role="alert">
          Give {asked.name} a value of the type {asked.type}.
        </span>
      )}
    </fieldset>
  )
}
