import { day } from '../../contract/durations.ts'
import type { OwnFigures } from '../../contract/machines.ts'
import type { OwnMachine } from '../api/queries.ts'
import { dateTime, duration, earned, oneDecimal, percent, price, type Zone } from '../format.ts'
import { reallyEarned, reallyEarnedWords } from '../machines/really-earned.ts'
import { daysCovered, setReasons } from './words.ts'

type SinceChange = NonNullable<OwnFigures['since_change']>

/** The actual results of the machine, beside the expected ones. Its place is kept while it is being read. */
export function OwnResults({ machine, zone, isListed }: OwnResultsProps) {
  const told = machine && reallyEarned([machine])
  return (
    <p class="own-results">
      {machine && resultsOf(machine, zone)}
      {told && ` The marketplace reports actual earnings of ${reallyEarnedWords(told)}.`}
      {machine && isListed && ' Income is at the listed price: what renters pay is not visible from outside.'}
    </p>
  )
}

interface OwnResultsProps {
  machine: OwnMachine | undefined
  zone: Zone
  /** Rented GPUs count at listed prices. */
  isListed: boolean
}

function resultsOf({ id, figures, num_gpus, rented_gpus, rented_price, price: own }: OwnMachine, zone: Zone) {
  const now = [
    `Machine ${id} now: ${rented_gpus} of ${num_gpus} GPUs rented`,
    rented_price !== null && ` at ${price(rented_price)}`,
    own === null ? ', not listed' : `, listed at ${price(own)}`,
  ]
  if (!figures) return `${now.filter(Boolean).join('')}.`
  const { idle_since, covered_seconds, since_change, comp_set } = figures
  const month = covered_seconds['30d']
  const seen = month < day ? `seen for ${duration(month)} only` : percentsOf(figures)
  const parts = [
    ...(idle_since === null ? [] : [`idle since ${dateTime(idle_since, zone)}`]),
    seen,
    `income ${earned(figures.income_7d)} in 7 days and ${earned(figures.income_30d)} in ${daysCovered(month)}`,
    ...(month < day
      ? []
      : [
          comp_set.reason
            ? `no RGI: ${setReasons[comp_set.reason]}`
            : `RGI ${oneDecimal(comp_set.rgi)}, its revenue per GPU in percent of that of similar machines`,
        ]),
  ]
  const results = since_change && ` ${sinceWords(since_change, zone)}`
  const { outlook } = figures
  const ahead =
    outlook &&
    ` Next 30 days: about ${earned(outlook.value)} (${earned(outlook.low)} to ${earned(outlook.high)} on average of similar machines), if its price goes on as in the last 7 days.`
  return `${[now.filter(Boolean).join(''), ...parts].join('; ')}.${results ?? ''}${ahead ?? ''}`
}

const percentsOf = ({ occupancy_7d, occupancy_30d, covered_seconds }: OwnFigures): string =>
  `rented ${percent(occupancy_7d)} of the last 7 days and ${percent(occupancy_30d)} of ${daysCovered(covered_seconds['30d'])}`

/** The actual income since the last change of the price, beside the expected income of such a machine. */
function sinceWords(
  { since, earned: dollars, expected, covered_seconds, reason }: SinceChange,
  zone: Zone,
): string {
  const beside = expected ? `, ${earned(expected.value)} expected` : ''
  return `At this price since ${dateTime(since, zone)}: ${earned(dollars)} in ${daysCovered(covered_seconds)}${beside}. ${reason}`
}
