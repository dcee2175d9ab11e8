import { Link } from 'wouter-preact'
import { pages } from '../../contract/pages.ts'
import { Dropdown } from '../components/dropdown.tsx'

interface LimitsProps {
  /** The number of machines, and of those without a lowest price. */
  machines: number
  unlimited: number
}

/** The limits that every price set from this page keeps. */
export const Limits = ({ machines, unlimited }: LimitsProps) => (
  <Dropdown label="Limits">
    {() => (
      <div class="limits">
        <h2>Limits of a price that you set</h2>
        <ul>
          <li>At most 20 % away from the present price.</li>
          <li>
            Never below the lowest price from your <Link href={pages.costs}>costs</Link>, and not without one
            {unlimited > 0 &&
              `: ${unlimited === machines ? 'it is unknown' : `unknown for ${unlimited} of ${machines} machines`}`}
            .
          </li>
          <li>Only if the price is still the one that you saw.</li>
          <li>For new rentals: present ones keep their price.</li>
        </ul>
        <p class="quiet">
          Rules of the <Link href={pages.autopilot}>autopilot</Link> have limits of their own.
        </p>
      </div>
    )}
  </Dropdown>
)
