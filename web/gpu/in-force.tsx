import { filtersInForce } from '../../contract/market-filter.ts'
import type { History } from '../api/history.ts'
import { severalSizes } from '../api/memory.ts'
import { useNames } from '../api/queries.ts'
import { Buttons } from '../components/buttons.tsx'
import { Dropdown } from '../components/dropdown.tsx'
import { onDemand } from '../components/on-demand.tsx'
import { dateTime, day, duration, nothing } from '../format.ts'
import type { View } from '../view.ts'
import { parts } from './parts.ts'

const MachineFilters = onDemand(async () => (await parts.filters()).MachineFilters)

interface InForceProps {
  view: View
  change: (changes: Partial<View>) => void
  history: History | undefined
  /** The shown GPU names. */
  looked: readonly string[]
}

/** The subject of the charts below: the filters in force, and the age of the data. */
export const InForce = ({ view, change, history, looked }: InForceProps) => (
  <form class="filters force" onSubmit={(event) => event.preventDefault()}>
    {view.layout === 'one' && (
      <Buttons
        label="Charts of"
        value={view.tab}
        options={[
          ['market', 'Market'],
          ['book', 'Book'],
          ['forecast', 'Forecast'],
        ]}
        onChange={(tab) => change({ tab })}
      />
    )}
    <Sizes view={view} change={change} looked={looked} />
    <Chips view={view} change={change} />
    <Dropdown label="Filter">
      {() => (
        <div class="more">
          <MachineFilters view={view} change={change} />
        </div>
      )}
    </Dropdown>
    <time class="quiet newest">newest: {newestOf(history, view.zone)}</time>
  </form>
)

/** The choice of a size of memory, if a shown GPU name has several: they are different products. */
function Sizes({ view, change, looked }: Omit<InForceProps, 'history'>) {
  const several = severalSizes(useNames().data)
  const sizes = [...new Set(looked.flatMap((name) => several.get(name) ?? []))].sort((a, b) => a - b)
  if (sizes.length === 0) return null
  return (
    <Buttons
      label="Memory"
      value={view.gpu_memory}
      options={[['all', 'All sizes'], ...sizes.map((size) => [String(size), `${size} GB`] as const)]}
      onChange={(gpu_memory) => change({ gpu_memory })}
    />
  )
}

/** The filters of machines and the chosen step. A press removes one. */
function Chips({ view, change }: Pick<InForceProps, 'view' | 'change'>) {
  const chips: [string, Partial<View>][] = [
    ...filtersInForce(view).map(([name, words]): [string, Partial<View>] => [words, { [name]: 'all' }]),
    ...(view.step > 0
      ? [[`step ${duration(view.step)}`, { step: 0 }] satisfies [string, Partial<View>]]
      : []),
  ]
  return (
    <span class="chips">
      <span class="quiet">Machines:{chips.length === 0 && ' all'}</span>
      {chips.map(([words, without]) => (
        <button
          key={words}
          type="button"
          class="secondary outline"
          aria-label={`Remove: ${words}`}
          onClick={() => change(without)}
        >
          {words} ×
        </button>
      ))}
    </span>
  )
}

/** The newest bucket of a history, in words. */
function newestOf(history: History | undefined, zone: View['zone']): string {
  const last = Object.values(history?.gpus ?? {}).map(({ pricing }) => pricing.timestamps.at(-1) ?? 0)
  const newest = Math.max(0, ...last)
  if (!history || newest === 0) return nothing
  return history.step % 86_400 === 0 ? day(newest) : dateTime(newest, zone)
}
