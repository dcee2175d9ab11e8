import './market.css'
import { useEffect } from 'preact/hooks'
import type { ApiFailure } from '../api/client.ts'
import type { HistoryQuestion } from '../api/history.ts'
import { type OwnMachine, troubleOf, useHistory, useMachines, useNames } from '../api/queries.ts'
import { distinct } from '../charts/palette.ts'
import { MachineFilters } from '../components/machine-filters.tsx'
import { Notice } from '../components/notice.tsx'
import { Status } from '../components/status.tsx'
import { filtersOf, focusOf, rangeOf, ranges, type Span, useView, type View } from '../view.ts'
import { ChartList } from './chart-list.tsx'
import { GpuPicker } from './gpu-picker.tsx'
import { byGpus, dataOf, spelled, usualNames } from './gpus.ts'
import { isEmpty, NoData } from './no-data.tsx'
import { Options } from './options.tsx'
import { PulseCards } from './pulse-cards.tsx'
import { TimeFilters } from './time-filters.tsx'

const none: OwnMachine[] = []
const monthAndDay = 31 * 86_400

/** The market of some GPU types over time: one in detail, some compared, or many side by side. */
export function MarketPage() {
  const [view, change] = useView()
  const names = useNames()
  const filters = filtersOf(view)
  const own = useMachines(filters)

  // The default choice goes into the address, too, so that a link shows others the same.
  const usual = usualNames(names.data, own.data)
  useEffect(() => {
    if (view.gpus.length === 0 && usual.length > 0 && !own.isPending)
      change({ gpus: usual }, { replace: true })
  })

  const gpus = view.gpus.map((name) => spelled(name, names.data))
  const chosen = gpus[0] === 'all' ? byGpus(names.data) : gpus
  const focus = focusOf(view, chosen)
  const looked = view.layout === 'one' ? [focus] : chosen
  const data = dataOf(looked, names.data)
  const span = rangeOf(view, data ?? { from: 0, to: 0 })
  const history = useHistory(
    questionOf({ ...view, gpus }, span),
    gpus.length > 0 && (view.range !== 'all' || data !== undefined),
  )
  const carded = view.layout === 'grid' ? [] : chosen.slice(0, distinct)
  const pulses = useHistory(
    { gpu_name: carded.join(), ...filters, start: -monthAndDay, step: 3600 },
    carded.length > 0,
  )
  const questions = [names, history, pulses]

  if (names.data?.length === 0)
    return (
      <Notice title="No snapshots yet">
        No snapshot of the market has been taken so far. Charts appear with the first one, within minutes of a
        worker's start.
      </Notice>
    )
  return (
    <main id="content" tabIndex={-1}>
      <h1 class="unseen">Market</h1>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <GpuPicker names={names.data ?? []} chosen={gpus} onChoose={(gpus) => change(withGpus(view, gpus))} />
        <MachineFilters view={view} change={change} />
        <TimeFilters view={view} change={change} span={span} answered={history.data?.step} />
      </form>
      <Status
        history={history.data}
        zone={view.zone}
        error={(questions.map(troubleOf).find(Boolean) ?? null) as ApiFailure | null}
        retry={() => {
          for (const question of questions) if (troubleOf(question)) question.refetch()
        }}
      />
      {carded.length > 0 && (
        <PulseCards
          names={carded}
          history={pulses.data}
          isStale={pulses.isStale}
          focus={view.layout === 'one' ? focus : undefined}
          onFocus={(focus) => change({ layout: 'one', focus })}
        />
      )}
      <Options view={view} change={change} />
      {history.data &&
        (names.data && !history.isStale && isEmpty(history.data, looked) ? (
          <NoData view={view} change={change} history={history.data} names={looked} data={data} />
        ) : (
          <ChartList
            view={view}
            change={change}
            history={history.data}
            chosen={chosen}
            own={own.data ?? none}
            busy={history.isFetching || history.isStale}
          />
        ))}
    </main>
  )
}

const questionOf = (view: View, span: Span): HistoryQuestion => ({
  gpu_name: view.gpus.join(),
  ...filtersOf(view),
  ...timesOf(view, span),
  ...(view.step > 0 && { step: view.step }),
})

/** A range that ends now is asked for by its length, so that it moves on. */
function timesOf({ range }: View, { from, to }: Span): Pick<HistoryQuestion, 'start' | 'end'> {
  if (range === 'custom') return { start: from, end: to }
  if (range !== 'all') return { start: -ranges[range] }
  return to > Date.now() / 1000 - 60 ? { start: from } : { start: from, end: to }
}

/** All types are too many for one chart. */
const withGpus = ({ layout }: View, gpus: string[]): Partial<View> => ({
  gpus,
  layout: gpus[0] === 'all' ? 'grid' : layout,
})
