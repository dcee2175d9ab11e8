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
  useEffect(() => () => clearTimeout(timer.current), [])
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
          timer.current = setTimeout(() => onChange(text), pauseMs)
        }}
        onChange={({ currentTarget: { value: text } }) => {
          setTyped(undefined)
          clearTimeout(timer.current)
          onChange(text)
        }}
      />
    </label>
  )
}
