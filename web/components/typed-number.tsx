import { useEffect, useRef, useState } from 'preact/hooks'

const pauseMs = 500

interface TypedNumberProps {
  label: string
  value: string | number
  /**
   * Called with the typed text, which may be empty: when the field loses the focus, at Enter, at a step of its arrows, and after a pause in typing.
   */
  onChange: (text: string) => void
  min: number
  max?: number
  step?: 'any'
  required?: boolean
  placeholder?: string
  class?: string
  onClick?: (event: { currentTarget: HTMLInputElement }) => void
}

/** A field for a number. Typed text stays unchanged until the field loses the focus, since "0." and ".5" may become numbers. */
export function TypedNumber({ label, value, onChange, ...about }: TypedNumberProps) {
  const [typed, setTyped] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>()
  const latest = useRef(onChange)
  latest.current = onChange
  useEffect(() => () => clearTimeout(timer.current), [])

  function take(text: string): void {
    clearTimeout(timer.current)
    timer.current = undefined
    latest.current(text)
  }
  /** Shows the current value again. A required field that is empty stays empty, so that the form reports it. */
  function settle(text: string): void {
    if (text !== '' || !about.required) setTyped(undefined)
  }

  return (
    <label>
      {label}
      <input
        {...about}
        type="number"
        value={typed ?? value}
        onInput={({ currentTarget: { value: text } }) => {
          setTyped(text)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => take(text), pauseMs)
        }}
        onChange={({ currentTarget: { value: text } }) => {
          settle(text)
          take(text)
        }}
        // A browser fires no change event if the text returns to its earlier value.
        onBlur={({ currentTarget: { value: text } }) => {
          settle(text)
          if (timer.current !== undefined) take(text)
        }}
      />
    </label>
  )
}
