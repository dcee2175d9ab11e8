import { week } from '../../contract/durations.ts'
import { filterOf, passing } from '../../contract/market-filter.ts'
import { present } from '../clock.ts'
import './gpu.css'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ceilTo } from '../../contract/ladder.ts'
import type { GpuName } from '../../contract/names.ts'
import { awaitedHistory, type History, type HistoryQuestion, isEmpty } from '../api/history.ts'
import { useMachineList } from '../api/machines.ts'
import { type OwnMachine, troubleOf, useHistory, useMachines, useNames } from '../api/queries.ts'
import { useSources } from '../api/sources.ts'
import { Buttons } from '../components/buttons.tsx'
import { NoSnapshots } from '../components/no-snapshots.tsx'
import { onDemand } from '../components/on-demand.tsx'
import { PageHead } from '../components/page-head.tsx'
import { Status } from '../components/status.tsx'
import { source } from '../source.ts'
import { ranges, type Span, useChoice, useView, type View } from '../view.ts'
import { ChartList } from './chart-list.tsx'
import { GpuPicker } from './gpu-picker.tsx'
import { dataOf, usualNames } from './gpus.ts'
import { InForce } from './in-force.tsx'
import { Options } from './options.tsx'
import { loadPartsSoon, parts } from './parts.ts'
import { PulseCards } from './pulse-cards.tsx'
import { shownOf } from './shown.ts'
import { TimeFilters } from './time-filters.tsx'

const awaitedFigures = <div class="figures now" />
// Loaded on demand, since few visits need it.
const SmallCharts = onDemand(async () => (await parts.small()).SmallCharts)
const NoData = onDemand(async () => (await import('./no-data.tsx')).NoData)
const BookCharts = onDemand(async () => (await import('./book-charts.tsx')).BookCharts)
const FocusFigures = onDemand(async () => (await import('./focus-figures.tsx')).FocusFigures, awaitedFigures)
const FocusActions = onDemand(async () => (await import('./focus-figures.tsx')).FocusActions)
const WantedForm = onDemand(async () => (await import('./wanted-form.tsx')).WantedForm)
const Forecast = onDemand(async () => (await import('./forecast.tsx')).Forecast)
const OfficialPast = onDemand(async () => (await import('./official-past.tsx')).OfficialPast)
const none: OwnMachine[] = []
/** True if the address names a chart of the book: older links do so without naming its tab. */
const isOfBook = () => ['#book', '#duration', '#prices', '#revenue'].includes(location.hash)

/** The market of some GPU types: one in detail, some compared, or many side by side. */
export function GpuPage() {
  const [asked, change] = useView()
  useEffect(loadPartsSoon, [])
  const names = useNames()
  const list = useMachineList()
  const usual = usualNames(names.data, list.data?.machines)
  const isOpen = asked.gpus.length === 0 && usual.length > 0 && !list.isPending
  const opensBook = asked.tab === 'market' && isOfBook()
  const view = useChoice(
    [asked, change],
    isOpen || opensBook ? { ...(isOpen && { gpus: usual }), ...(opensBook && { tab: 'book' }) } : undefined,
  )
  const sources = useSources()
  const official = sources.data?.find(({ name }) => name === (source ?? name))?.official?.first
  const shown = shownOf(view, names.data, official)
  const { gpus, chosen, focus, looked, data, span, question, carded, pulse } = shown
  useWhereDataAre(view, dataOf(chosen, names.data), change)

  const history = useHistory(question, shown.isKnown)
  const [joined, setJoined] = useState<{ own: History; history: History }>()
  const { before, asked: askedBefore } = useBefore(view, question, history)
  const isSecond = useSoonAfter(Boolean(history.data ?? history.error))
  const own = useMachines(filterOf(view), view.mine === 'yes' && isSecond)
  const ownShown = useMemo(() => (own.data ?? none).filter(passing(filterOf(view))), [own.data, view])
  const pulses = useHistory(pulse, carded.length > 0)
  const questions = [names, history, pulses, askedBefore, own]

  if (names.data?.length === 0) return <NoSnapshots title="Market" />
  const drawn = joined?.own === history.data ? joined?.history : history.data
  const answer = {
    history: drawn ?? awaitedHistory(question, looked),
    busy: history.isFetching || history.isStale,
    waiting: !history.data,
  }
  const tab = view.layout === 'one' ? view.tab : 'market'
  const about = { view, change, question, name: focus, isTold: questions.some(troubleOf) }
  const isNothing = drawn && names.data && !history.isStale && isEmpty(drawn, looked)
  const asOwn = history.data
  return (
    <main id="content" tabIndex={-1}>
      <Head view={view} focus={focus} isSecond={isSecond} />
      <Controls
        view={view}
        change={change}
        gpus={gpus}
        names={names.data ?? []}
        span={span}
        answered={history.data?.step}
      />
      {asOwn && official && !history.isStale && isSecond && (
        <OfficialPast history={asOwn} onPast={(history) => setJoined({ own: asOwn, history })} />
      )}
      <InForce view={view} change={change} looked={looked} history={history.data} />
      <Status of={questions} hasData={history.data !== undefined} />
      <Now view={view} change={change} carded={carded} focus={focus} pulses={pulses} isSecond={isSecond} />
      {isNothing && history.data ? (
        <NoData view={view} change={change} history={history.data} names={looked} data={data} />
      ) : (
        <>
          {view.layout === 'grid' ? (
            <SmallCharts view={view} change={change} chosen={chosen} {...answer} />
          ) : tab === 'market' ? (
            <ChartList
              view={view}
              change={change}
              chosen={chosen}
              before={before}
              own={ownShown}
              isLater={isSecond}
              {...answer}
            />
          ) : tab === 'book' ? (
            <BookCharts {...about} own={ownShown} />
          ) : (
            <Forecast {...about} />
          )}
          {view.layout === 'one' && tab !== 'forecast' && isSecond && <WantedForm {...about} />}
        </>
      )}
    </main>
  )
}

/** The head: the GPU type, and the way to an alert on it. */
function Head({ view, focus, isSecond }: { view: View; focus: string; isSecond: boolean }) {
  if (view.layout !== 'one' || focus === '') return <PageHead title="Market" />
  const title = (
    <>
      <span class="crumb">Market / </span>
      {focus}
    </>
  )
  return <PageHead title={title}>{isSecond && <FocusActions view={view} name={focus} />}</PageHead>
}

interface NowProps {
  view: View
  change: ReturnType<typeof useView>[1]
  carded: readonly string[]
  focus: string
  pulses: ReturnType<typeof useHistory>
  isSecond: boolean
}

/** The newest figures: in a row for a single GPU type, otherwise on a card each. */
function Now({ view, change, carded, focus, pulses, isSecond }: NowProps) {
  const { layout } = view
  if (layout === 'grid') return null
  const now = { history: pulses.data, isStale: pulses.isStale }
  if (layout === 'one' && carded.length === 1)
    return isSecond ? <FocusFigures view={view} name={focus} {...now} /> : awaitedFigures
  return (
    <PulseCards
      names={carded}
      focus={layout === 'one' ? focus : undefined}
      onFocus={(focus) => change({ layout: 'one', focus, gpu_memory: 'all' })}
      {...now}
    />
  )
}

/** True a moment after `isSo` became true: further queries must not delay the drawing of the first data. */
function useSoonAfter(isSo: boolean): boolean {
  const [isLater, setLater] = useState(false)
  useEffect(() => {
    if (!isSo) return
    const timer = setTimeout(() => setLater(true), 50)
    return () => clearTimeout(timer)
  }, [isSo])
  return isLater
}

/** The history to compare with: the period before the shown one, or the same period a week earlier, in the same buckets. */
function useBefore(
  { before, layout }: View,
  question: HistoryQuestion,
  { data, isStale }: ReturnType<typeof useHistory>,
) {
  const isWanted = before !== 'no' && layout === 'one' && data !== undefined && !isStale && data.step > 0
  const { start, end, step } = data ?? { start: 0, end: 0, step: 1 }
  const shift = isWanted ? ceilTo(step, before === 'week' ? week : end - start) : 0
  const asked = useHistory(
    { ...question, start: Math.max(0, start - shift), end: end - shift, step },
    isWanted,
  )
  return { asked, before: isWanted && !asked.isStale ? asked.data : undefined }
}

interface ControlsProps {
  view: View
  change: ReturnType<typeof useView>[1]
  gpus: string[]
  names: GpuName[]
  span: Span
  answered: number | undefined
}

/** The controls of the page: GPU types, layout, range, and filters. */
const Controls = ({ view, change, gpus, names, span, answered }: ControlsProps) => (
  <form class="filters bar" onSubmit={(event) => event.preventDefault()}>
    <GpuPicker
      names={names}
      chosen={gpus}
      onChoose={(chosen) => change(withGpus({ ...view, gpus }, chosen))}
    />
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
    <TimeFilters view={view} change={change} span={span} />
    <Options view={view} change={change} answered={answered} />
  </form>
)

/** Imported data may have ended long ago. Unless the visitor chose a range, the whole history is shown instead of an empty range. */
function useWhereDataAre(view: View, data: Span | undefined, change: ReturnType<typeof useView>[1]): void {
  const moved = useRef('')
  const gpus = view.gpus.join()
  const isOver = view.range === '7d' && data !== undefined && data.to < present() - ranges['7d']
  useEffect(() => {
    if (!isOver || moved.current === gpus) return
    moved.current = gpus
    change({ range: 'all' }, { replace: true })
  })
}

/** A GPU type that was just picked is shown, with every size of memory. All types are too many for one chart. */
function withGpus({ layout, gpus: before, focus }: View, gpus: string[]): Partial<View> {
  const picked = layout === 'one' ? gpus.find((name) => !before.includes(name)) : undefined
  const isAll = gpus[0] === 'all'
  return { gpus, layout: isAll ? 'grid' : layout, focus: isAll ? '' : (picked ?? focus), gpu_memory: 'all' }
}
