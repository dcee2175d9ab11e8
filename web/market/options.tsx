import { Buttons } from '../components/buttons.tsx'
import { Select } from '../components/select.tsx'
import type { View } from '../view.ts'
import { metrics } from './charts.ts'

interface OptionsProps {
  view: View
  change: (changes: Partial<View>) => void
}

/** How the data are shown: nothing here asks the server anew. */
export function Options({ view, change }: OptionsProps) {
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <Buttons
        label="Layout"
        value={view.layout}
        options={[
          ['one', 'One GPU'],
          ['compare', 'Compare'],
          ['grid', 'Side by side'],
        ]}
        onChange={(layout) => change({ layout })}
      />
      {view.layout === 'grid' && (
        <Select
          label="Chart"
          value={view.metric}
          options={metrics}
          onChange={(metric) => change({ metric })}
        />
      )}
      {view.layout === 'compare' && (
        <Select
          label="Compare"
          value={view.side}
          options={[
            ['available', 'Available'],
            ['rented', 'Rented'],
          ]}
          onChange={(side) => change({ side })}
        />
      )}
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
