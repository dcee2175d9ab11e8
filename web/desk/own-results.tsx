import { day } from '../../contract/durations.ts'
import type { OwnFigures } from '../../contract/machines.ts'
import type { OwnMachine } from '../api/queries.ts'
import { Figure } from '../components/figure.tsx'
import { waitingSentence } from '../components/waiting-words.ts'
import { dateTime, duration, earned, nothing, oneDecimal, percent, price, type Zone } from '../format.ts'
import { notFromSource, reallyEarned, reallyEarnedWords } from '../machines/really-earned.ts'
import { daysCovered } from './words.ts'

interface OwnResultsProps {
  machine: OwnMachine | undefined
  zone: Zone
  /** Rented GPUs count at listed prices. */
  isListed: boolean
}

/** The actual results of the machine, beside the expected ones. Its place is kept while it is being read. */
export function OwnResults({ machine, zone, isListed }: OwnResultsProps) {
  const told = machine && reallyEarned([machine])
  const { waiting, since_change } = machine?.figures ?? {}
  const reason = since_change?.reason
  return (
    <section class="own-results" aria-label="Results of this machine">
      {machine && <Results machine={machine} zone={zone} />}
      {(waiting || reason || told || (machine && isListed)) && (
        <p class="note">
          {waiting && `${waitingSentence(waiting)} `}
          {reason}
          {told && ` The marketplace reports actual earnings of ${reallyEarnedWords(told)}.`}
          {isListed && ' Income is at the listed price: what renters pay is not visible from outside.'}
        </p>
      )}
    </section>
  )
}

/** The results as figures: the present, the last days, and the next 30. */
function Results({ machine, zone }: { machine: OwnMachine; zone: Zone }) {
  const { figures, num_gpus, rented_gpus, rented_price, price: own } = machine
  const idle = figures?.idle_since ?? null
  const at =
    idle !== null
      ? `idle since ${dateTime(idle, zone)}`
      : [
          rented_price !== null && `at ${price(rented_price)}`,
          own === null ? 'not listed' : `price ${price(own)}`,
        ]
          .filter(Boolean)
          .join(', ')
  return (
    <dl class="figures">
      <Figure title="Rented now" lead={rented_gpus === null ? nothing : `${rented_gpus} of ${num_gpus}`}>
        {rented_gpus === null ? notFromSource : at}
      </Figure>
      {figures && <Past figures={figures} zone={zone} />}
      {figures?.outlook && (
        <Figure title="Next 30 days" lead={earned(figures.outlook.value)}>
          {earned(figures.outlook.low)} to {earned(figures.outlook.high)}, as similar machines
        </Figure>
      )}
    </dl>
  )
}

function Past({ figures, zone }: { figures: OwnFigures; zone: Zone }) {
  const { covered_seconds, since_change: since, comp_set } = figures
  const covered = covered_seconds['30d']
  const isYoung = covered < day
  if (figures.past_reason !== null)
    return (
      <Figure title="Earned, 7 days" lead={nothing}>
        {notFromSource}
      </Figure>
    )
  return (
    <>
      {!isYoung && (
        <Figure title="Occupancy, 7 days" lead={percent(figures.occupancy_7d)}>
          {percent(figures.occupancy_30d)} in {daysCovered(covered)}
        </Figure>
      )}
      <Figure title="Earned, 7 days" lead={earned(figures.income_7d)}>
        {isYoung
          ? `seen for ${duration(covered)} only`
          : `${earned(figures.income_30d)} in ${daysCovered(covered)}`}
      </Figure>
      {since && (
        <Figure title="At this price" lead={earned(since.earned)}>
          {since.expected ? `${earned(since.expected.value)} expected, ` : ''}since{' '}
          {dateTime(since.since, zone)}
        </Figure>
      )}
      {!isYoung && comp_set.rgi !== null && (
        <Figure title="RGI" lead={oneDecimal(comp_set.rgi)}>
          100: as similar machines
        </Figure>
      )}
    </>
  )
}
