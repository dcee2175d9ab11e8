interface ButtonsProps<Value extends string> {
  label: string
  /** A value that is not among the options presses no button. */
  value: string
  options: readonly (readonly [Value, string])[]
  onChange: (value: Value) => void
}

/** A choice of one of several values, as buttons: for frequent changes. */
export function Buttons<Value extends string>({ label, value, options, onChange }: ButtonsProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame of its own
    <div role="group" class="segment" aria-label={label}>
      {options.map(([option, text]) => (
        <button key={option} type="button" aria-pressed={value === option} onClick={() => onChange(option)}>
          {text}
        </button>
      ))}
    </div>
  )
}
