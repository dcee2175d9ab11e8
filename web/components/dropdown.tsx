import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'

interface DropdownProps {
  label: string
  /** The accessible name if the label is a symbol. */
  name?: string
  /** Shown instead of the label. */
  icon?: string
  /** True if a choice in the panel is in effect. */
  isChosen?: boolean
  children: (close: () => void) => ComponentChildren
}

/** A button that opens a panel. Escape, a click elsewhere and `close` close it; the focus returns to the button. */
export function Dropdown({ label, name, icon, isChosen = false, children }: DropdownProps) {
  const details = useRef<HTMLDetailsElement>(null)
  const isOpen = useSignal(false)

  function close(): void {
    if (!details.current) return
    details.current.open = false
    details.current.querySelector('summary')?.focus()
  }
  useEffect(() => {
    const onPointerDown = ({ target }: PointerEvent) => {
      if (details.current && target instanceof Node && !details.current.contains(target))
        details.current.open = false
    }
    document.addEventListener('pointerdown', onPointerDown)
    return () => document.removeEventListener('pointerdown', onPointerDown)
  }, [])

  return (
    <details
      class="dropdown"
      ref={details}
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open
      }}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <summary class={isChosen ? 'chosen' : undefined} aria-label={name}>
        {icon ? <Icon outline={icon} /> : <span>{label}</span>}
      </summary>
      {isOpen.value && <div class="panel">{children(close)}</div>}
    </details>
  )
}
