import type { OwnMachine } from '../api/queries.ts'
import { Figure } from '../components/figure.tsx'
import { count, earned, nothing, percent } from '../format.ts'
import { type FleetRow, rowOf } from './fleet.ts'

interface SumsProps {
  machines: readonly OwnMachine[]
  /** There are none yet. */
  waiting: boolean
}

/** All machines of the table together. */
export function Sums({ machines: [first, ...others], waiting }: SumsProps) {
  const all = first && rowOf('all', [first, ...others])
  const [day = 0, week = 0, month = 0] = all?.income ?? []
  return (
    <dl class="figures sums" aria-busy={waiting}>
      <Figure title="Machines" lead={all ? count(all.machines.length) : nothing}>
        {all &&
          `${count(all.machines.filter(({ online }) => online).length)} online, ${count(all.idle)} idle`}
      </Figure>
      <Figure title="GPUs rented now" lead={all ? `${count(all.rented)} of ${count(all.gpus)}` : nothing}>
        {all && percent(all.rented / all.gpus)}
      </Figure>
      <Figure title="Occupancy, 7 days" lead={percent(all?.occupancy[1])}>
        {all && `1 d ${percent(all.occupancy[0])}, 30 d ${percent(all.occupancy[2])}`}
      </Figure>
      <Figure title="Income, 30 days" lead={all ? earned(month) : nothing}>
        {all && `1 d ${earned(day)}, 7 d ${earned(week)}`}
      </Figure>
      <Figure title="More at the best prices" lead={all && all.gain !== null ? earned(all.gain) : nothing}>
        {all && gainWords(all)}
      </Figure>
    </dl>
  )
}

const gainWords = ({ gain, mispriced }: FleetRow): string =>
  gain === null ? 'too little was seen' : `a day; ${count(mispriced)} too dear or too cheap`
