import { useSignal } from '@preact/signals'
import type { AutopilotRule } from '../../contract/autopilot.ts'
import type { AutopilotStage } from '../../contract/autopilot-kinds.ts'
import { dryRunWords } from '../../estimates/replay-words.ts'
import { dateTime } from '../format.ts'
import { useActions, useDryRun } from './api.ts'
import { StageSteps } from './stage-steps.tsx'
import { ruleWords } from './words.ts'

interface Step {
  stage: AutopilotStage
  words: string
}

/** The possible next stages of each stage. */
const stepsOf: Record<AutopilotStage, readonly Step[]> = {
  suggest: [{ stage: 'dry_run', words: 'Start the dry run' }],
  dry_run: [
    { stage: 'live', words: 'Go live' },
    { stage: 'suggest', words: 'Only suggest' },
  ],
  live: [{ stage: 'suggest', words: 'Only suggest' }],
}

const question = 'From now on this rule sets prices. Let it?'

/** A rule, its stage, and its actions. */
export function RuleRow({ rule, onChange }: { rule: AutopilotRule; onChange: () => void }) {
  const { setStage, remove } = useActions()
  const said = useSignal('')
  const { id, name, stage } = rule
  const act = (work: Promise<unknown>) =>
    work.then(
      () => {
        said.value = ''
      },
      (error: Error) => {
        said.value = error.message
      },
    )
  const goOn = { stage, words: 'Go on' }
  const steps = [...(rule.stop_reason === null ? [] : [goOn]), ...stepsOf[stage]]
  return (
    <tr>
      <th scope="row">
        {name}
        {ruleWords(rule).map((line) => (
          <div key={line} class="quiet">
            {line}
          </div>
        ))}
      </th>
      <td>
        <Stage rule={rule} />
      </td>
      <td class="actions">
        {steps.map((step) => (
          <button
            key={step.words}
            type="button"
            class="secondary outline small"
            aria-label={`${step.words}: ${name}`}
            onClick={() => (step.stage !== 'live' || confirm(question)) && act(setStage(id, step.stage))}
          >
            {step.words}
          </button>
        ))}
        <button
          type="button"
          class="secondary outline small"
          aria-label={`Change: ${name}`}
          onClick={onChange}
        >
          Change
        </button>
        <button
          type="button"
          class="secondary outline small"
          aria-label={`Delete: ${name}`}
          onClick={() => confirm(`Delete the rule “${name}”?`) && act(remove(id))}
        >
          Delete
        </button>
        <output aria-live="polite">{said.value}</output>
      </td>
    </tr>
  )
}

/** The simulated income with the prices of the dry run so far. */
function DryRunEarned({ id }: { id: number }) {
  const { data } = useDryRun(id)
  return data ? <div class="quiet">{dryRunWords(data.replay)}</div> : null
}

/** The stage of a rule, and the way to the next one. */
function Stage({ rule: { id, stage, stop_reason, live_from } }: { rule: AutopilotRule }) {
  return (
    <>
      <StageSteps stage={stage} />
      {stop_reason !== null && (
        <p>
          <span class="chip warn">Stopped</span> <span class="quiet">{stop_reason}</span>
        </p>
      )}
      {stage === 'dry_run' && stop_reason === null && (
        <>
          {live_from !== null && <div class="quiet">may go live from {dateTime(live_from)}</div>}
          <DryRunEarned id={id} />
        </>
      )}
    </>
  )
}
