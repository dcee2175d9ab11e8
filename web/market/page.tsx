import './market.css'
import { useEffect } from 'preact/hooks'
import { sameName } from '../../contract/gpu-names.ts'
import type { ApiFailure } from '../api/client.ts'
import type { HistoryQuestion } from '../api/history.ts'
import { type GpuName, type OwnMachine, useHistory, useMachines, useNames } from '../api/queries.ts'
import { distinct } from '../charts/palette.ts'
import { MachineFilters } from '../components/machine-filters.tsx'
import { Notice } from '../components/notice.tsx'
import { Status } from '../components/status.tsx'
import { focusOf, ranges, useView, type View } from '../view.ts'
import { ChartList } from './chart-list.tsx'
import { GpuPicker } from './gpu-picker.tsx'
import { Options } from './options.tsx'
import { PulseCards } from './pulse-cards.tsx'
import { TimeFilters } from './time-filters.tsx'

const none: OwnMachine[] = []
const monthAndDay = 31 * 86_400

/** The market of some GPU types over time: one in detail, some compared, or many side by side. */
export function MarketPage() {
  const [view, change] = useView()
  const names = useNames()
  const filters = { verified: view.verified, hosting_type: view.hosting_type, num_gpus: view.num_gpus }
  const own = useMachines(filters)

  // What one sees without having chosen is put into the address too, so that a link shows the same to somebody else.
  const usual = usualNames(names.data, own.data)
  useEffect(() => {
    if (view.gpus.length === 0 && usual.length > 0 && !own.isPending)
      change({ gpus: usual }, { replace: true })
  })

  const gpus = view.gpus.map((name) => spelled(name, names.data))
  const chosen = gpus[0] === 'all' ? byGpus(names.data) : gpus
  const history = useHistory(questionOf({ ...view, gpus }), gpus.length > 0)
  const carded = view.layout === 'grid' ? [] : chosen.slice(0, distinct)
  const pulses = useHistory(
    { gpu_name: carded.join(), ...filters, start: -monthAndDay, step: 3600 },
    carded.length > 0,
  )
  const questions = [names, history, pulses]

  if (names.data?.length === 0)
    return (
      <Notice title="No snapshots yet">
        The market has not been looked at so far. Charts appear with the first snapshot, within minutes of a
        worker's start.
      </Notice>
    )
  return (
    <main id="content" tabIndex={-1}>
      <h1 class="unseen">Market</h1>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <GpuPicker names={names.data ?? []} chosen={gpus} onChoose={(gpus) => change(withGpus(view, gpus))} />
        <MachineFilters view={view} change={change} />
        <TimeFilters view={view} change={change} answered={history.data?.step} />
      </form>
      <Status
        history={history.data}
        error={(questions.find(({ error }) => error)?.error ?? null) as ApiFailure | null}
        retry={() => {
          for (const { error, refetch } of questions) if (error) refetch()
        }}
      />
      {carded.length > 0 && (
        <PulseCards
          names={carded}
          history={pulses.data}
          isStale={pulses.isStale}
          focus={view.layout === 'one' ? focusOf(view, chosen) : undefined}
          onFocus={(focus) => change({ layout: 'one', focus })}
        />
      )}
      <Options view={view} change={change} />
      {history.data && (
        <ChartList
          view={view}
          change={change}
          history={history.data}
          chosen={chosen}
          own={own.data ?? none}
          busy={history.isFetching || history.isStale}
        />
      )}
    </main>
  )
}

const questionOf = ({
  gpus,
  verified,
  hosting_type,
  num_gpus,
  range,
  from,
  to,
  step,
}: View): HistoryQuestion => ({
  gpu_name: gpus.join(),
  verified,
  hosting_type,
  num_gpus,
  ...(range === 'custom' ? { start: from, end: to } : { start: -ranges[range] }),
  ...(step > 0 && { step }),
})

/** All types are too many for one chart. */
const withGpus = ({ layout }: View, gpus: string[]): Partial<View> => ({
  gpus,
  layout: gpus[0] === 'all' ? 'grid' : layout,
})

/** As the market writes it: a link may have it in another case, or with underscores. */
const spelled = (name: string, names: readonly GpuName[] = []): string =>
  names.find((known) => sameName(known.name, name))?.name ?? name

/** What there is most of first. */
const byGpus = (names: readonly GpuName[] = []): string[] =>
  [...names].sort((one, other) => other.gpus - one.gpus).map(({ name }) => name)

/** What a host has, else what there is most of: at most three. */
function usualNames(names: readonly GpuName[] | undefined, own: readonly OwnMachine[] = []): string[] {
  const known = byGpus(names)
  const mine = known.filter((name) => own.some(({ gpu_name }) => gpu_name === name))
  return [...new Set([...mine, ...known])].slice(0, 3)
}
