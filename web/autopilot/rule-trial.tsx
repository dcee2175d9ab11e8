import { useSignal } from '@preact/signals'
import { useQuery } from '@tanstack/preact-query'
import type { AutopilotBody } from '../../contract/autopilot.ts'
import type { AutopilotTried } from '../../contract/autopilot-try.ts'
import { day } from '../../contract/durations.ts'
import { requestJson } from '../api/client.ts'
import { counted, earned } from '../format.ts'
import { key } from '../session.ts'

const days = 7

/** The changes that a rule would have made in the last week, and what they would have earned. Computed when it is asked for. */
export function RuleTrial({ body }: { body: AutopilotBody }) {
  const { name: _, email: __, webhook_url: ___, ...decisive } = body
  const question = JSON.stringify(decisive)
  /** The rule that was tried. Another one is tried by another press. */
  const asked = useSignal<string>()
  const isAsked = asked.value === question
  const { data, error } = useQuery({
    queryKey: ['autopilot trial', key.value, question],
    queryFn: ({ signal }) =>
      requestJson<AutopilotTried>('api/v0/metrics/autopilot/try', {
        method: 'POST',
        body: { rule: { ...decisive, name: 'trial' }, days },
        signal,
      }),
    staleTime: 600_000,
    retry: false,
    enabled: isAsked,
  })
  return (
    <div class="trial" aria-live="polite">
      {!isAsked ? (
        <button type="button" class="outline" onClick={() => (asked.value = question)}>
          Try it on the last {days} days
        </button>
      ) : error ? (
        <p class="trouble">{error.message}</p>
      ) : data ? (
        <Tried tried={data} />
      ) : (
        <p class="quiet">Replaying {days} days of your machines. This takes some seconds.</p>
      )}
    </div>
  )
}

function Tried({ tried }: { tried: AutopilotTried }) {
  const { from, to, of, changed, changes, raised, no_floor, hindsight, machines, left_out, total } = tried
  const covered = Math.max(1, Math.round((to - from) / day))
  const known = machines.filter((machine) => machine.earned !== null).length
  return (
    <>
      <h3>
        {changes === 0
          ? `It would have changed no price in ${counted(covered, 'day')}`
          : `It would have changed ${counted(changed, 'machine')} ${counted(changes, 'time')} in ${counted(covered, 'day')}: ${raised} up, ${changes - raised} down`}
      </h3>
      {total && (
        <p>
          {known < changed ? `${known} of these machines` : known === 1 ? 'It' : 'They'} would have earned
          about <strong>{earned(total.expected.value)}</strong> ({earned(total.expected.low)} to{' '}
          {earned(total.expected.high)}) instead of {earned(total.actual)}.
        </p>
      )}
      {changes > 0 && !total && <p>{machines[0]?.reason}</p>}
      {changes === 0 && no_floor === of && of > 0 && (
        <p>No machine has a lowest price. With a price at “never below” the rule may change prices.</p>
      )}
      <p class="note">
        {hindsight &&
          'Past advice is not stored, so the recommended prices are today’s. They know these days, so expect less. '}
        Simulated with the rentals that were observed: other hosts and renters do not react to your prices.
        {left_out > 0 && ` Income is not simulated for ${counted(left_out, 'further machine')}.`}
      </p>
    </>
  )
}
