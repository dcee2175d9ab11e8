import { duration } from '../format.ts'
import { CustomRange } from './custom-range.tsx'
import { ranges, type View } from './view.ts'

interface FilterProps {
  view: View
  change: (changes: Partial<View>) => void
}

interface SelectProps<Value extends string> {
  label: string
  value: Value
  options: readonly (readonly [Value, string])[]
  onChange: (value: Value) => void
}

export function Select<Value extends string>({ label, value, options, onChange }: SelectProps<Value>) {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as Value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The same as buttons, for what is changed often. A value that isn't among the options presses none. */
export function Buttons<Value extends string>({
  label,
  value,
  options,
  onChange,
}: Omit<SelectProps<Value>, 'value'> & { value: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: Pico's group of buttons; a fieldset has a frame of its own
    <div role="group" aria-label={label}>
      {options.map(([option, text]) => (
        <button
          key={option}
          type="button"
          class={value === option ? undefined : 'secondary outline'}
          aria-pressed={value === option}
          onClick={() => onChange(option)}
        >
          {text}
        </button>
      ))}
    </div>
  )
}

const rigs = ['1', '2', '3', '4', '5', '6', '7', '8', '10', '12', '14', '16']

/** Which machines of the market count. */
export function MachineFilters({ view, change }: FilterProps) {
  // A rig size out of a link stays choosable.
  const sizes = ['all', ...new Set([...rigs, ...(view.num_gpus === 'all' ? [] : [view.num_gpus])])]
  return (
    <>
      <Select
        label="Verified"
        value={view.verified}
        options={[
          ['yes', 'Verified'],
          ['no', 'Unverified'],
          ['all', 'Both'],
        ]}
        onChange={(verified) => change({ verified })}
      />
      <Select
        label="Hosting"
        value={view.hosting_type}
        options={[
          ['all', 'All'],
          ['secure_cloud', 'Secure cloud'],
          ['community', 'Community'],
        ]}
        onChange={(hosting_type) => change({ hosting_type })}
      />
      <Select
        label="Rig size"
        value={view.num_gpus}
        options={sizes.map((size) => [size, size === 'all' ? 'All' : `${size}×`] as const)}
        onChange={(num_gpus) => change({ num_gpus })}
      />
    </>
  )
}

const shortestFirst = (Object.keys(ranges) as (keyof typeof ranges)[]).sort(
  (one, other) => ranges[one] - ranges[other],
)
const steps = [300, 900, 3600, 10_800, 21_600, 43_200, 86_400, 604_800]

/** `answered`: the step of what is shown, which the server raises where there would be too many points. */
export function TimeFilters({ view, change, answered }: FilterProps & { answered: number | undefined }) {
  const wanted = [...new Set([...steps, ...(view.step ? [view.step] : [])])].sort((a, b) => a - b)
  return (
    <>
      <Buttons
        label="Range"
        value={view.range}
        options={shortestFirst.map((range) => [range, range] as const)}
        onChange={(range) => change({ range })}
      />
      <CustomRange view={view} change={change} />
      <Select
        label="Step"
        value={String(view.step)}
        options={[
          ['0', answered && !view.step ? `Auto (${duration(answered)})` : 'Auto'],
          ...wanted.map((step) => [String(step), duration(step)] as const),
        ]}
        onChange={(step) => change({ step: Number(step) })}
      />
    </>
  )
}
