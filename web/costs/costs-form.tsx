import { useSignal } from '@preact/signals'
import type { TargetedSubmitEvent } from 'preact'
import { type CostField, type Costs, costFields, costWords } from '../../contract/cost-fields.ts'
import { costsOf } from '../../estimates/costs.ts'
import { ApiFailure } from '../api/client.ts'
import type { OwnMachine } from '../api/queries.ts'
import { Failure } from '../components/failure.tsx'
import { plain, sentence } from '../format.ts'
import { useCostActions } from './api.ts'

interface CostsFormProps {
  /** undefined: the costs of all machines. */
  machine: OwnMachine | undefined
  account: Costs
  /** The costs entered for the machine itself. */
  own: Costs | undefined
  onClose: () => void
}

type Problems = Partial<Record<CostField, string>>

const isField = (name: string): name is CostField => name in costWords

/** The messages of the service by field; empty: no message is about a field. */
function problemsIn(message: string): Problems {
  const found = message.split('; ').flatMap((problem) => {
    const [, field = '', text = ''] = /^(\w+) (.*)$/.exec(problem) ?? []
    return isField(field) ? [[field, sentence(text.replaceAll(/watts_idle|watts_load/g, nameOf))]] : []
  })
  return Object.fromEntries(found)
}
/** Replacements for words in the message about unusual costs. The last one removes a hint for programs. */
const unusualIn = (message: string): string[] =>
  message
    .split('; ')
    .slice(0, -1)
    .map((part) =>
      sentence(part.replace(/^\w+(?= is )/, (field) => (isField(field) ? costWords[field][0] : field))),
    )

const nameOf = (field: string): string => (isField(field) ? costWords[field][0].toLowerCase() : field)

const typed = (text: string): number | string | null => {
  if (text.trim() === '') return null
  const number = Number(text.trim().replace(',', '.'))
  return Number.isNaN(number) ? text : number
}

/** The costs of all machines, or of one. An empty field means unknown. */
export function CostsForm({ machine, account, own, onClose }: CostsFormProps) {
  const { write, forget } = useCostActions()
  const problems = useSignal<Problems>({})
  const failure = useSignal('')
  /** The sent values that are far from usual ones. */
  const unusual = useSignal<string[]>([])
  const busy = useSignal(false)
  const entered = machine ? own : account

  async function run(work: () => Promise<void>): Promise<void> {
    if (busy.value) return
    busy.value = true
    await work().then(onClose, (error: Error) => {
      const isQuestion = error instanceof ApiFailure && error.code === 'unusual_costs'
      unusual.value = isQuestion ? unusualIn(error.message) : []
      problems.value = error instanceof ApiFailure && error.status === 400 ? problemsIn(error.message) : {}
      const [first] = costFields.filter((field) => problems.value[field])
      failure.value = first || isQuestion ? '' : sentence(error.message)
      if (first) document.getElementById(`cost-${first}`)?.focus()
    })
    busy.value = false
  }
  function submit(event: TargetedSubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const body = Object.fromEntries(costFields.map((field) => [field, typed(String(form.get(field)))]))
    const confirmed = unusual.value.length > 0 && { confirm_unusual: true }
    run(() => write(machine?.id ?? 0, { ...body, ...confirmed }))
  }

  return (
    <form
      class="costs"
      onSubmit={submit}
      onInput={() => {
        unusual.value = []
      }}
      noValidate
    >
      <div class="fields">
        {costFields.map((field) => (
          <Field
            key={field}
            field={field}
            entered={entered?.[field] ?? null}
            hint={hintOf(field, machine, account)}
            problem={problems.value[field]}
          />
        ))}
      </div>
      <Failure text={failure.value} />
      {unusual.value.length > 0 && (
        <div class="banner trouble" role="alert">
          <p>Are these costs right? They are far from the usual.</p>
          <ul>
            {unusual.value.map((part) => (
              <li key={part}>{part}</li>
            ))}
          </ul>
        </div>
      )}
      <p class="actions">
        {machine && own && (
          <button type="button" class="secondary outline" onClick={() => run(() => forget(machine.id))}>
            Same as all machines
          </button>
        )}
        <button type="button" class="secondary outline" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" aria-busy={busy.value}>
          {unusual.value.length > 0 ? 'They are right: save' : 'Save'}
        </button>
      </p>
    </form>
  )
}

/** The value that counts if a field is left empty, in words. */
function hintOf(field: CostField, machine: OwnMachine | undefined, account: Costs): string {
  const [, unit] = costWords[field]
  if (!machine) return field.startsWith('watts') ? 'Assumed from the GPU type if empty' : 'Unknown if empty'
  const { values, assumed } = costsOf(account, undefined, machine)
  const value = values[field]
  if (value === null) return 'Unknown if empty'
  const source = assumed.includes(field) ? 'assumed from the GPU type' : 'same as all machines'
  return `Empty: ${plain(value)} ${unit}, ${source}`
}

interface FieldProps {
  field: CostField
  entered: number | null
  hint: string
  problem: string | undefined
}

function Field({ field, entered, hint, problem }: FieldProps) {
  const [name, unit] = costWords[field]
  const id = `cost-${field}`
  return (
    <div>
      <label for={id}>
        {name}, {unit}
      </label>
      <input
        id={id}
        name={field}
        autocomplete="off"
        inputMode="decimal"
        defaultValue={entered === null ? '' : plain(entered)}
        aria-describedby={`${id}-hint`}
        {...(problem && { 'aria-invalid': true })}
      />
      <small id={`${id}-hint`} class={problem ? 'trouble' : undefined} role={problem ? 'alert' : undefined}>
        {problem ? `${name} ${problem}` : hint}
      </small>
    </div>
  )
}
