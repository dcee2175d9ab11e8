import type { ComponentChildren } from 'preact'

interface QueryItemProps {
  title: string
  /** A query as a title is code. */
  isCode?: boolean
  onOpen: () => void
  children?: ComponentChildren
}

/** A query in a list. A click loads it into the editor; `children` stand below it. */
export function QueryItem({ title, isCode = false, onOpen, children }: QueryItemProps) {
  return (
    <li>
      <button type="button" class={isCode ? 'open code' : 'open'} onClick={onOpen}>
        {title}
      </button>
      <div class="about">{children}</div>
    </li>
  )
}
