import { signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { toError } from '../../contract/failure.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { key } from '../session.ts'
import { AnswerView } from './answer-view.tsx'
import { type ApiDocument, type ApiParameter, bodyOf, type Operation } from './document.ts'
import { exampleOf } from './example.ts'
import { type ApiResponse, curlOf, send, type Typed } from './request.ts'
import { written } from './words.ts'

/** The key of a visitor who is not signed in. It is kept in memory only, until the page is left. */
const typedKey = signal('')

interface TryFormProps {
  document: ApiDocument
  operation: Operation
}

/** Builds a request from the typed values, sends it with the visitor's key, and shows the response. */
export function TryForm({ document, operation }: TryFormProps) {
  const { parameters = [], requestBody, method, security } = operation
  const typed = useSignal<Typed>(beginningOf(document, operation))
  const answer = useSignal<ApiResponse | undefined>(undefined)
  const failure = useSignal('')
  const busy = useSignal(false)
  const ending = useRef(new AbortController())
  useEffect(() => () => ending.current.abort(), [])
  const needsKey = security?.length !== 0
  const change = (changes: Partial<Typed>) => {
    typed.value = { ...typed.value, ...changes }
  }

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    busy.value = true
    failure.value = ''
    try {
      answer.value = await send(operation, typed.value, key.value ?? typedKey.value, ending.current.signal)
    } catch (error) {
      failure.value = `No answer: ${toError(error).message}`
    }
    busy.value = false
  }

  return (
    <section aria-labelledby="try" class="try">
      <h2 id="try">Try it</h2>
      <form onSubmit={submit}>
        {needsKey && key.value === undefined && (
          <label>
            API key
            <input
              type="password"
              required
              maxLength={190}
              autocomplete="off"
              placeholder="rr_…"
              value={typedKey.value}
              onInput={({ currentTarget }) => {
                typedKey.value = currentTarget.value.trim()
              }}
            />
          </label>
        )}
        {parameters.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            value={typed.value.parameters[parameter.name] ?? ''}
            onChange={(value) =>
              change({ parameters: { ...typed.value.parameters, [parameter.name]: value } })
            }
          />
        ))}
        {requestBody && (
          <label class="wide">
            Body
            <textarea
              rows={Math.min(20, typed.value.body.split('\n').length + 1)}
              spellcheck={false}
              value={typed.value.body}
              onInput={({ currentTarget }) => change({ body: currentTarget.value })}
            />
          </label>
        )}
        <pre class="curl">{curlOf(operation, typed.value)}</pre>
        <p class="actions">
          <button type="submit" aria-busy={busy.value} disabled={busy.value}>
            Send
          </button>{' '}
          <CopyButton label="Copy curl" text={() => curlOf(operation, typed.value)} />{' '}
          <span class="quiet">
            {needsKey && key.value !== undefined && 'Sent with the key that you are signed in with. '}
            {method !== 'GET' && 'This is a real request and may change data.'}
          </span>
        </p>
      </form>
      <div role="status">{failure.value || (answer.value && <AnswerView answer={answer.value} />)}</div>
    </section>
  )
}

interface ParameterFieldProps {
  parameter: ApiParameter
  value: string
  onChange: (value: string) => void
}

function ParameterField({ parameter, value, onChange }: ParameterFieldProps) {
  const { name, required = false, schema = {}, example } = parameter
  const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum?.map(written)
  const usual = schema.default === undefined ? '' : written(schema.default)
  const shown = example ?? schema.example
  const id = `parameter-${name}`
  return (
    <div>
      <label for={id}>{name}</label>
      {choices ? (
        <select
          id={id}
          value={value}
          required={required}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          <option value="">{usual && `${usual} (default)`}</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          type="text"
          inputMode={schema.type === 'integer' ? 'numeric' : undefined}
          required={required}
          value={value}
          placeholder={usual || (shown === undefined ? '' : written(shown))}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </div>
  )
}

/** The required parameters and fields, with initial values. */
function beginningOf(document: ApiDocument, { parameters = [], requestBody }: Operation): Typed {
  const examples = parameters.flatMap(({ name, required, example, schema }): [string, string][] => {
    const value = example ?? schema?.example
    return required && value !== undefined ? [[name, written(value)]] : []
  })
  const body = bodyOf(requestBody?.content)
  return {
    parameters: Object.fromEntries(examples),
    body: body ? JSON.stringify(exampleOf(document, body.schema, true), null, 2) : '',
  }
}
