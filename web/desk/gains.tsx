import './gains.css'
import { useLayoutEffect } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import type { Verdict } from '../../contract/advice-kinds.ts'
import type { FleetAdviceAnswer } from '../../contract/fleet-advice.ts'
import type { OwnMachine } from '../api/queries.ts'
import { Skeleton } from '../components/skeleton.tsx'
import { earned, price } from '../format.ts'
import { isTyping } from '../typing.ts'
import type { View } from '../view.ts'
import { deskOfMachine } from './address.ts'
import { shortObstacles, verdicts } from './words.ts'

/** The most machines of the list. All of them are in the field above it. */
const most = 12

interface GainsProps {
  /** Empty: they are being read. */
  machines: readonly OwnMachine[]
  /** The changes of all own machines; undefined: `machines` are all of them, or the changes are not known yet. */
  changes: FleetAdviceAnswer['changes'] | undefined
  /** The machine that is priced. */
  machine: number
  zone: View['zone']
}

const gainOf = ({ online, figures }: OwnMachine): number =>
  (online && figures?.advice.price !== null && figures?.advice.gain_per_day?.value) || 0

/** Own machines with their advice, the largest gain first. */
export function Gains({ machines, changes, machine, zone }: GainsProps) {
  const [, navigate] = useLocation()
  const shown =
    changes?.slice(0, most).map(rowOfChange) ??
    machines
      .toSorted((one, other) => gainOf(other) - gainOf(one))
      .slice(0, most)
      .map(rowOfMachine)
  const place = shown.findIndex(({ id }) => id === machine)
  const [next, before] = [shown[place + 1]?.id, shown[place - 1]?.id]
  // In time for the next key, which may come before the browser has painted.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (
        isTyping(event) ||
        document.querySelector('dialog[open]') ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey
      )
        return
      const to = { j: next, k: before }[event.key]
      if (to !== undefined) navigate(deskOfMachine(to, zone))
      if (event.key === 's')
        document.querySelector<HTMLButtonElement>('.verdict .price-review > button')?.click()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [next, before, zone, navigate])
  return (
    <nav class="card gains" aria-label="Most to gain first" aria-busy={machines.length === 0}>
      <h2>Most to gain first</h2>
      {machines.length === 0 && <Skeleton />}
      <ul>
        {shown.map((one) => (
          <li key={one.id}>
            <Link href={deskOfMachine(one.id, zone)} aria-current={one.id === machine ? 'page' : undefined}>
              <span>
                <strong title={one.gpu_name}>
                  {one.num_gpus}× {one.gpu_name}
                </strong>
                <span class="quiet">
                  {one.id} · {one.advice}
                </span>
              </span>
              {one.gain > 0 && <b class="good">+{earned(one.gain)}</b>}
            </Link>
          </li>
        ))}
      </ul>
      {shown.length > 1 && (
        <p class="keys" aria-hidden="true">
          <kbd>J</kbd> <kbd>K</kbd> next, previous <kbd>S</kbd> set
        </p>
      )}
    </nav>
  )
}

const rowOfMachine = (machine: OwnMachine) => ({
  ...machine,
  advice: adviceOn(machine),
  gain: gainOf(machine),
})

const rowOfChange = ({
  machine_id,
  advised,
  verdict,
  gain_per_day,
  ...change
}: FleetAdviceAnswer['changes'][number]) => ({
  ...change,
  id: machine_id,
  advice: `${verdictWords[verdict]} ${price(advised)}`,
  gain: gain_per_day?.value ?? 0,
})

const verdictWords: Record<Verdict, string> = {
  raise: 'Raise to',
  lower: 'Lower to',
  try: 'Try',
  start: 'Start at',
  keep: 'Keep',
  unknown: 'Set',
}

function adviceOn({ online, price: own, figures }: OwnMachine): string {
  if (!online) return shortObstacles.offline
  const { verdict = 'unknown', price: to = null } = figures?.advice ?? {}
  if (verdict === 'keep') return `Keep ${price(own)}`
  if (verdict === 'unknown' || to === null) return verdicts.unknown
  return `${verdictWords[verdict]} ${price(to)}`
}
