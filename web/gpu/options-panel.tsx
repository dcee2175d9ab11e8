import { ladder, usualInterval } from '../../contract/ladder.ts'
import { Select } from '../components/select.tsx'
import { duration } from '../format.ts'
import type { View } from '../view.ts'
import { metrics } from './charts.ts'

export interface OptionsProps {
  view: View
  change: (changes: Partial<View>) => void
  /** The step of the answer: the server raises a step that would give too many points. */
  answered: number | undefined
}

const steps = [usualInterval, ...ladder]

/** The fields for less frequent changes. */
export const OptionsPanel = ({ view, change, answered }: OptionsProps) => (
  <div class="more">
    <Step view={view} change={change} answered={answered} />
    <Select
      label="Times in"
      value={view.zone}
      options={[
        ['local', 'Local time'],
        ['utc', 'UTC'],
      ]}
      onChange={(zone) => change({ zone })}
    />
    <Select
      label="Show"
      value={view.unit}
      options={[
        ['gpus', 'GPUs'],
        ['machines', 'Machines'],
      ]}
      onChange={(unit) => change({ unit })}
    />
    <Select
      label="Performance"
      value={view.score}
      options={[
        ['dlperf', 'Deep learning'],
        ['tflops', 'TFLOPS'],
      ]}
      onChange={(score) => change({ score })}
    />
    <OfLayout view={view} change={change} />
  </div>
)

function Step({ view, change, answered }: OptionsProps) {
  const offered = [...new Set([...steps, ...(view.step ? [view.step] : [])])].sort((a, b) => a - b)
  return (
    <Select
      label="Step"
      value={String(view.step)}
      options={[
        ['0', answered && !view.step ? `Auto (${duration(answered)})` : 'Auto'],
        ...offered.map((step) => [String(step), duration(step)] as const),
      ]}
      onChange={(step) => change({ step: Number(step) })}
    />
  )
}

/** The fields that only some layouts have. */
function OfLayout({ view, change }: Omit<OptionsProps, 'answered'>) {
  return (
    <>
      {view.layout === 'grid' && (
        <Select
          label="Chart"
          value={view.metric}
          options={metrics}
          onChange={(metric) => change({ metric })}
        />
      )}
      {view.layout !== 'grid' && (
        <Select
          label={view.layout === 'one' ? 'Heat map of' : 'Compare'}
          value={view.side}
          options={[
            ['available', 'Available'],
            ['rented', 'Rented'],
          ]}
          onChange={(side) => change({ side })}
        />
      )}
      {view.layout === 'compare' && (
        <Select
          label="Prices in"
          value={view.axis}
          options={[
            ['usd', 'USD'],
            ['percent', '% since the start'],
          ]}
          onChange={(axis) => change({ axis })}
        />
      )}
      {view.layout === 'one' &&
        (
          [
            ['yes', 'Period before'],
            ['week', 'A week before'],
          ] as const
        ).map(([before, label]) => (
          <label key={before}>
            <input
              type="checkbox"
              checked={view.before === before}
              onChange={() => change({ before: view.before === before ? 'no' : before })}
            />
            {label}
          </label>
        ))}
      {view.layout === 'one' && (
        <label>
          <input
            type="checkbox"
            checked={view.mine === 'yes'}
            onChange={() => change({ mine: view.mine === 'yes' ? 'no' : 'yes' })}
          />
          My prices
        </label>
      )}
    </>
  )
}
