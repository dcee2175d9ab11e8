import { useEffect, useRef, useState } from 'preact/hooks'

const pauseMs = 500

interface TypedNumberProps {
  label: string
  value: string | number
  /** Of what was typed, which may be empty: when the field is left, at Enter, at a step of its arrows, and when nothing is typed for a while. */
  onChange: (text: string) => void
  min: number
  max?: number
  step?: 'any'
  required?: boolean
  placeholder?: string
  class?: string
  onClick?: (event: { currentTarget: HTMLInputElement }) => void
}

/** A field for a number. What is typed stays as it is until the field is left: "0." and ".5" are numbers on their way. */
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
  /** Shows the value again. What is required and missing stays missing, so that the form says so. */
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
        // A browser does not call it a change when the text is again what it was before.
        onBlur={({ currentTarget: { value: text } }) => {
          settle(text)
          if (timer.current !== undefined) take(text)
        }}
      />
    </label>
  )
}
