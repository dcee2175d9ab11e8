import type { ComponentChildren } from 'preact'
import { Icon } from '../components/icon.tsx'
import { outlines } from '../components/outlines.ts'
import { CostsButton } from '../costs/costs-button.tsx'
import { counted } from '../format.ts'

interface FloorHintProps {
  /** Number of machines without a lowest price. */
  machines: number
  /** The rest of the sentence. */
  children: ComponentChildren
}

/** One sentence for all machines without a lowest price, with the button that supplies it. */
export const FloorHint = ({ machines, children }: FloorHintProps) =>
  machines === 0 ? null : (
    <p class="hint">
      <Icon outline={outlines.alert} />
      <span>
        {counted(machines, 'machine')} {machines === 1 ? 'has' : 'have'} no lowest price yet{children}
      </span>
      <CostsButton machine={0} />
    </p>
  )
