import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'

interface TabsProps {
  label: string
  names: readonly string[]
  chosen: Signal<string>
  children: ComponentChildren
}

/** Tabs after the ARIA pattern: one tab stop, arrow keys choose. The child is the panel of the chosen tab. */
export function Tabs({ label, names, chosen, children }: TabsProps) {
  const at = names.indexOf(chosen.value)
  const moves: Record<string, number> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    Home: 0,
    End: names.length - 1,
  }

  function onKeyDown(event: KeyboardEvent): void {
    const to = moves[event.key]
    if (to === undefined) return
    event.preventDefault()
    chosen.value = names[(to + names.length) % names.length] ?? chosen.value
    document.getElementById(idOf(chosen.value))?.focus()
  }

  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={idOf(name)}
            aria-selected={name === chosen.value}
            aria-controls={name === chosen.value ? 'tab-panel' : undefined}
            tabIndex={name === chosen.value ? 0 : -1}
            onClick={() => {
              chosen.value = name
            }}
          >
            {name}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard */}
      <div class="tab-panel" role="tabpanel" id="tab-panel" aria-labelledby={idOf(chosen.value)} tabIndex={0}>
        {children}
      </div>
    </>
  )
}

const idOf = (name: string) => `tab-${name.toLowerCase()}`
