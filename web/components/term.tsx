import './term.css'
import type { TargetedFocusEvent, TargetedMouseEvent } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { definitions } from './definitions.ts'

type Shown = TargetedMouseEvent<HTMLElement> | TargetedFocusEvent<HTMLElement>

const gap = 6

/**
 * The definition of a name, shown while the pointer or the focus is on an element. Returns the attributes of the element, and the definition to
 * render in it.
 */
export function useDefinition(name: string) {
  const id = useId()
  const tip = useRef<HTMLSpanElement>(null)
  const means = definitions[name]
  if (!means) return { attributes: {}, tip: null }
  const show = ({ currentTarget }: Shown) => {
    const { current } = tip
    if (!current) return
    current.showPopover()
    const { left, bottom } = currentTarget.getBoundingClientRect()
    const most = document.documentElement.clientWidth - current.offsetWidth - gap
    current.style.left = `${Math.max(gap, Math.min(left, most))}px`
    current.style.top = `${bottom + gap}px`
  }
  const hide = () => tip.current?.hidePopover()
  return {
    attributes: {
      'aria-describedby': id,
      onMouseEnter: show,
      onFocus: show,
      // The focused element may move away from the pointer while the page loads: its definition stays.
      onMouseLeave: ({ currentTarget }: Shown) => currentTarget !== document.activeElement && hide(),
      onBlur: hide,
      onClick: show,
      onKeyDown: ({ key }: KeyboardEvent) => key === 'Escape' && hide(),
    },
    // Shown in the top layer, so that no table clips it.
    tip: (
      <span id={id} ref={tip} class="definition" role="tooltip" popover="manual">
        {means}
      </span>
    ),
  }
}

/** A name that shows its definition on hover and focus. */
export function Term({ name }: { name: string }) {
  const { attributes, tip } = useDefinition(name)
  if (!tip) return <>{name}</>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach the definition, too
    <span class="term" tabIndex={0} {...attributes}>
      {name}
      {tip}
    </span>
  )
}
