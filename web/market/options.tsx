import { metrics } from './charts.ts'
import { Select } from './filters.tsx'
import type { View } from './view.ts'

interface OptionsProps {
  view: View
  change: (changes: Partial<View>) => void
}

/** How it's shown: nothing here changes what the server is asked. */
export function Options({ view, change }: OptionsProps) {
  const layouts = [
    ['one', 'One GPU'],
    ['compare', 'Compare'],
    ['grid', 'Side by side'],
  ] as const
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      {/* biome-ignore lint/a11y/useSemanticElements: Pico's group of buttons; a fieldset has a frame of its own */}
      <div role="group" aria-label="Layout">
        {layouts.map(([layout, text]) => (
          <button
            key={layout}
            type="button"
            class={view.layout === layout ? undefined : 'secondary outline'}
            aria-pressed={view.layout === layout}
            onClick={() => change({ layout })}
          >
            {text}
          </button>
        ))}
      </div>
      {view.layout === 'grid' && (
        <Select
          label="Figure"
          value={view.metric}
          options={metrics}
          onChange={(metric) => change({ metric })}
        />
      )}
      {view.layout === 'compare' && (
        <Select
          label="Side"
          value={view.side}
          options={[
            ['available', 'Available'],
            ['rented', 'Rented'],
          ]}
          onChange={(side) => change({ side })}
        />
      )}
      <Select
        label="Count"
        value={view.unit}
        options={[
          ['gpus', 'GPUs'],
          ['machines', 'Machines'],
        ]}
        onChange={(unit) => change({ unit })}
      />
      <Select
        label="Value of"
        value={view.score}
        options={[
          ['dlperf', 'Deep learning'],
          ['tflops', 'TFLOPS'],
        ]}
        onChange={(score) => change({ score })}
      />
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
    </form>
  )
}
