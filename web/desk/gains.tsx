import { Link } from 'wouter-preact'
import type { OwnMachine } from '../api/queries.ts'
import { earned, price } from '../format.ts'
import type { View } from '../view.ts'
import { deskOfMachine } from './address.ts'
import { shortObstacles, verdicts } from './words.ts'

/** The most machines of the list. All of them are in the field above it. */
const most = 12

interface GainsProps {
  machines: readonly OwnMachine[]
  /** The machine that is priced. */
  machine: number
  zone: View['zone']
}

const gainOf = ({ online, figures }: OwnMachine): number =>
  (online && figures?.advice.price !== null && figures?.advice.gain_per_day?.value) || 0

/** Own machines with their advice, the largest gain first. */
export function Gains({ machines, machine, zone }: GainsProps) {
  const shown = machines.toSorted((one, other) => gainOf(other) - gainOf(one)).slice(0, most)
  return (
    <nav class="card gains" aria-label="Most to gain first">
      <h2>Most to gain first</h2>
      <ul>
        {shown.map((one) => (
          <li key={one.id}>
            <Link href={deskOfMachine(one.id, zone)} aria-current={one.id === machine ? 'page' : undefined}>
              <span>
                <strong>
                  {one.num_gpus}× {one.gpu_name}
                </strong>
                <span class="quiet">
                  {one.id} · {adviceOn(one)}
                </span>
              </span>
              {gainOf(one) > 0 && <b class="good">+{earned(gainOf(one))}</b>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function adviceOn({ online, price: own, figures }: OwnMachine): string {
  if (!online) return shortObstacles.offline
  const { verdict = 'unknown', price: to = null } = figures?.advice ?? {}
  if (verdict === 'keep') return `keep ${price(own)}`
  if (verdict === 'unknown' || to === null) return verdicts.unknown.toLowerCase()
  return `${{ raise: 'raise to', lower: 'lower to', try: 'try', start: 'start at' }[verdict]} ${price(to)}`
}
