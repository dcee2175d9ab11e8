import './figure.css'
import type { ComponentChildren } from 'preact'
import { Term } from './term.tsx'

interface FigureProps {
  title: string
  lead: string
  /** The value at the present price, where `lead` is the value at another one. */
  now?: string | false | null | undefined
  children: ComponentChildren
}

/** A number with its name above and an explanation below, in a list of class `figures`. The name shows its definition. */
export const Figure = ({ title, lead, now, children }: FigureProps) => (
  <div>
    <dt>
      <Term name={title} />
    </dt>
    <dd>
      {now && now !== lead && (
        <s>
          <span class="unseen">now </span>
          {now}
        </s>
      )}
      <strong>{lead}</strong>
      <span class="quiet">{children}</span>
    </dd>
  </div>
)
