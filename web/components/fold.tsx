import type { ComponentChildren } from 'preact'

interface FoldProps {
  title: string
  /** The answer in a few words, so that many need not be opened. */
  answer?: ComponentChildren
  onOpen?: () => void
  children: ComponentChildren
}

/** A part of a page below its title, closed at first. */
export const Fold = ({ title, answer, onOpen, children }: FoldProps) => (
  <details class="card fold" onToggle={({ currentTarget }) => currentTarget.open && onOpen?.()}>
    <summary>
      <h2>{title}</h2>
      <span class="quiet">{answer}</span>
    </summary>
    <div class="within">{children}</div>
  </details>
)
