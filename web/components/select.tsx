import { useMemo } from 'preact/hooks'

interface SelectProps<Value extends string> {
  label: string
  value: Value
  options: readonly (readonly [Value, string])[]
  onChange: (value: Value) => void
}

/** A choice of one of several values, as a list that opens. */
export function Select<Value extends string>({ label, value, options, onChange }: SelectProps<Value>) {
  // Options that stay the same are not compared one by one: a host may have 10,000 machines.
  const list = useMemo(
    () =>
      options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      )),
    [options],
  )
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as Value)}>
        {list}
      </select>
    </label>
  )
}
