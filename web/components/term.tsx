import './term.css'
import type { TargetedFocusEvent, TargetedMouseEvent } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { definitions } from './definitions.ts'

type Shown = TargetedMouseEvent<HTMLElement> | TargetedFocusEvent<HTMLElement>

const gap = 6

/** What a name means, shown while the pointer or the focus is on an element: its attributes, and the text to put into it. */
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
      // What has the focus may move from below the pointer while the page loads.
      onMouseLeave: ({ currentTarget }: Shown) => currentTarget !== document.activeElement && hide(),
      onBlur: hide,
      onClick: show,
      onKeyDown: ({ key }: KeyboardEvent) => key === 'Escape' && hide(),
    },
    // In the top layer, so that no table clips it.
    tip: (
      <span id={id} ref={tip} class="definition" role="tooltip" popover="manual">
        {means}
      </span>
    ),
  }
}

/** A name that says what it means when it is pointed at or has the focus. */
export function Term({ name }: { name: string }) {
  const { attributes, tip } = useDefinition(name)
  if (!tip) return <>{name}</>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what the pointer does
    <span class="term" tabIndex={0} {...attributes}>
      {name}
      {tip}
    </span>
  )
}
