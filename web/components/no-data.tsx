import type { ComponentChildren } from 'preact'
import { CopyButton } from './copy-button.tsx'
import { Icon } from './icon.tsx'

interface NoDataProps {
  icon: string
  /** The state in a few words. */
  title: string
  /** A command for the next step. */
  command?: string
  /** An explanation in one sentence, and a button. */
  children?: ComponentChildren
}

/** An empty state with the next step. */
export const NoData = ({ icon, title, command, children }: NoDataProps) => (
  <div class="no-data" role="status">
    <span class="badge">
      <Icon outline={icon} />
    </span>
    <h2>{title}</h2>
    {children}
    {command && (
      <span class="command">
        <code>{command}</code>
        <CopyButton label="Copy" text={() => command} />
      </span>
    )}
  </div>
)
