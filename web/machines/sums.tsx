import type { OwnMachine } from '../api/queries.ts'
import { Figure } from '../components/figure.tsx'
import { waitsTooLong } from '../components/waiting-words.ts'
import { daysCovered, troubles } from '../desk/words.ts'
import { count, counted, earned, nothing, percent } from '../format.ts'
import type { Look } from './attention.ts'
import { type FleetRow, rowOf } from './fleet.ts'
import { daysOf, notFromSource } from './really-earned.ts'

interface SumsProps {
  machines: readonly OwnMachine[]
  /** True while the machines are being read. */
  waiting: boolean
  look: Look
  /** Rented GPUs count at listed prices. */
  isListed: boolean
}

/** All machines of the table together. */
export function Sums({ machines: [first, ...others], waiting, look, isListed }: SumsProps) {
  const all = first && rowOf('all', [first, ...others], look)
  const [day = null, week = null, month = null] = all?.income ?? []
  const isUnknown = all !== undefined && month === null
  return (
    <dl class="figures sums" aria-busy={waiting}>
      <Figure title="Earned, 7 days" lead={earned(week)}>
        {isUnknown
          ? notFromSource
          : all &&
            `${isListed ? 'at listed prices, ' : ''}24 h ${earned(day)} · ${daysCovered(all.covered)} ${earned(month)}`}
      </Figure>
      <Figure
        title="GPUs rented now"
        lead={all?.rented == null ? nothing : `${count(all.rented)} of ${count(all.gpus)}`}
      >
        {all && (all.rented === null ? notFromSource : idleWords(all))}
      </Figure>
      {/* Not known for machines that were first seen today. */}
      {all?.occupancy[1] !== null && (
        <Figure title="Occupancy, 7 days" lead={percent(all?.occupancy[1])}>
          {all &&
            `24 h ${percent(all.occupancy[0])} · ${daysCovered(all.covered)} ${percent(all.occupancy[2])}`}
        </Figure>
      )}
      {all?.told && (
        <Figure title="Actual earnings" lead={earned(all.told.usd)}>
          in {daysOf(all.told)}, {counted(all.told.machines, 'machine')}, as the marketplace reports
        </Figure>
      )}
      {all && all.netOf > 0 && (
        <Figure title="Net a day" lead={earned(all.net)}>
          {counted(all.netOf, 'machine')}, expected
        </Figure>
      )}
      <Figure title="Better prices and losses" lead={all ? costWords(all) : nothing}>
        {all && attentionWords(all)}
      </Figure>
    </dl>
  )
}

/** The number of idle machines, with a claim about their time only where the wait of each one is known. */
function idleWords({ machines, idle }: FleetRow): string {
  const waits = machines.flatMap(({ figures }) => figures?.waiting ?? [])
  const words = `${counted(idle, 'machine')} idle`
  const long = waits.filter(waitsTooLong).length
  if (long > 0) return `${words}, ${count(long)} too long`
  return idle > 0 && waits.length === idle ? `${words}, for a normal time` : words
}

const costWords = ({ cost, attention }: FleetRow): string =>
  cost !== null ? `${earned(cost)} a day` : attention.length === 0 ? 'None' : 'Not known'

/** The number of machines that need attention, by reason. */
function attentionWords({ attention }: FleetRow): string {
  const counts = (['offline', 'idle', 'dear', 'cheap'] as const).flatMap((trouble) => {
    const found = attention.filter((one) => one.trouble === trouble).length
    return found > 0 ? [`${count(found)} ${troubles[trouble].toLowerCase()}`] : []
  })
  return counts.join(', ') || 'no machine needs attention'
}
