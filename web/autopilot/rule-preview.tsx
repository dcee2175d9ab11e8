import type { AutopilotBody } from '../../contract/autopilot.ts'
import { Skeleton } from '../components/skeleton.tsx'
import { counted, earned, price } from '../format.ts'
import { changeOf, gainWords } from '../machines/choose-prices.tsx'
import { useFleet } from '../machines/use-fleet.ts'
import { FloorHint } from './floor-hint.tsx'
import { RuleTrial } from './rule-trial.tsx'

const mostRows = 5

const PreviewAwaited = () => (
  <div class="card preview preview-awaited" aria-busy="true">
    <Skeleton />
  </div>
)

/** The effect of a rule on the own machines: missing floors, recommended prices now, and a trial on the past. `body` is undefined before it is read. */
export function RulePreview({ body }: { body: AutopilotBody | undefined }) {
  const { data, hasNextPage } = useFleet()
  if (!data || !body) return <PreviewAwaited />
  const { machine_id, gpu_name, target, floor } = body
  const fleet = data.pages.flatMap(({ machines }) => machines)
  const machines = fleet.filter(
    (machine) =>
      (machine_id === null || machine.id === machine_id) &&
      (gpu_name === null || machine.gpu_name === gpu_name),
  )
  if (machines.length === 0) return null
  const bare =
    floor === null ? machines.filter(({ figures }) => figures && figures.costs.minimum_bid === null) : []
  const changes = machines.flatMap((machine) => {
    const change = changeOf(machine)
    return change ? [{ ...change, gain: machine.figures?.advice.gain_per_day?.value ?? 0 }] : []
  })
  const gain = changes.reduce((sum, change) => sum + change.gain, 0)
  return (
    <div class="card preview">
      <FloorHint machines={bare.length}>
        , so no price of {bare.length === 1 ? 'it' : 'them'} is changed. Enter costs, or a price at “never
        below”.
      </FloorHint>
      {target.kind === 'recommended' && (
        <>
          <h3>
            {/* A large fleet is read in parts. */}
            {hasNextPage && 'So far '}
            {changes.length === 0
              ? `${counted(machines.length, 'machine')} already at the recommended price`
              : `${changes.length} of ${counted(machines.length, 'machine')} would change now`}
            {gain > 0 && <span class="good"> about {earned(gain)} a day more</span>}
          </h3>
          {changes.length > 0 && (
            <ul class="changes">
              {changes
                .toSorted((one, other) => other.gain - one.gain)
                .slice(0, mostRows)
                .map((change) => (
                  <li key={change.machine_id}>
                    <span>
                      {change.machine_id} <span class="quiet">{change.gpu_name}</span>
                    </span>
                    <s>{price(change.from)}</s>
                    <strong>{price(change.price)}</strong>
                    <span class="good">{change.gain > 0 && gainWords(change.gain)}</span>
                  </li>
                ))}
            </ul>
          )}
          {changes.length > mostRows && (
            <p class="quiet">and {counted(changes.length - mostRows, 'further machine')}</p>
          )}
        </>
      )}
      <RuleTrial body={body} />
    </div>
  )
}
