import './figure.css'
import type { ComponentChildren } from 'preact'
import { Term } from './term.tsx'

interface FigureProps {
  title: string
  lead: string
  children: ComponentChildren
}

/** A number with its name above and an explanation below, in a list of class `figures`. The name shows its definition. */
export const Figure = ({ title, lead, children }: FigureProps) => (
  <div>
    <dt>
      <Term name={title} />
    </dt>
    <dd>
      <strong>{lead}</strong>
      <span class="quiet">{children}</span>
    </dd>
  </div>
)
