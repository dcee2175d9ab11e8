import type { AutopilotStage } from '../../contract/autopilot-kinds.ts'

const stages: readonly (readonly [AutopilotStage, string])[] = [
  ['suggest', 'Suggest'],
  ['dry_run', 'Dry run'],
  ['live', 'Live'],
]

/** The stages of a rule as steps, with the present one. */
export function StageSteps({ stage }: { stage: AutopilotStage }) {
  const now = stages.findIndex(([name]) => name === stage)
  return (
    <ol class="steps">
      {stages.map(([name, words], index) => (
        <li
          key={name}
          class={index < now ? 'done' : undefined}
          aria-current={index === now ? 'step' : undefined}
        >
          <span aria-hidden="true">{index + 1}</span> {words}
        </li>
      ))}
    </ol>
  )
}
