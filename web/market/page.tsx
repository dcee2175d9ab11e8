import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import type { z } from 'zod'
import type { currentAnswer } from '../../contract/current.ts'
import type { depthAnswer } from '../../contract/depth.ts'
import type { fillAnswer } from '../../contract/fill.ts'
import { everyMachine } from '../../contract/market-filter.ts'
import { pages } from '../../contract/pages.ts'
import type { termsAnswer } from '../../contract/terms.ts'
import { filling } from '../api/freshness.ts'
import { historyOf } from '../api/history.ts'
import { cloudPriceOf, type ListPrices } from '../api/list-prices.ts'
import { useMachineList } from '../api/machines.ts'
import { useHistory, useMarket, useNames } from '../api/queries.ts'
import { Icon } from '../components/icon.tsx'
import { MachineFilters } from '../components/machine-filters.tsx'
import { NoData } from '../components/no-data.tsx'
import { NoMarket } from '../components/no-market.tsx'
import { outlines } from '../components/outlines.ts'
import { PageHead } from '../components/page-head.tsx'
import { Select } from '../components/select.tsx'
import { Status } from '../components/status.tsx'
import { save } from '../files.ts'
import { count, counted, percent } from '../format.ts'
import { isTyping } from '../typing.ts'
import { useView, type View, writeView } from '../view.ts'
import { ColumnChooser } from './column-chooser.tsx'
import { columnsOf, columnsUnknown, csvOf, type MarketTableRow, rowsShown } from './columns.ts'
import { MarketTable, OwnDot } from './market-table.tsx'
import { questionsOf } from './questions.ts'

/** The page of the present market: a row for every GPU type, which links to its charts. */
export function MarketPage() {
  const [view, change] = useView()
  const { current: now, history, fill, book, clouds: elsewhere } = questionsOf(view)
  const current = useMarket<z.infer<typeof currentAnswer>>('current', now)
  const courses = useHistory(history)
  const fills = useMarket<z.infer<typeof fillAnswer>>('fill', fill)
  const clouds = useMarket<ListPrices>('list-prices', elsewhere)
  const hasClouds =
    current.data?.gpus.some((gpu) => cloudPriceOf(clouds.data, gpu.gpu_name, []) !== null) ?? false
  const columns = columnsOf(view.cols, hasClouds)
  const shows = (wanted: string) => columns.some(({ name }) => name === wanted)
  const terms = useMarket<z.infer<typeof termsAnswer>>('terms', now, shows('bid'))
  const books = useMarket<z.infer<typeof depthAnswer>>('depth', book, shows('cheapest'))
  const names = useNames().data
  const machines = useMachineList()
  const sizesOf = (name: string): readonly number[] =>
    view.gpu_memory === 'all'
      ? (names?.find((one) => one.name === name)?.memory ?? [])
      : [Number(view.gpu_memory)]
  const rows = useMemo((): MarketTableRow[] => {
    const { data } = courses
    return (current.data?.gpus ?? []).map((gpu) => ({
      gpu,
      sizes: sizesOf(gpu.gpu_name),
      week: (data && historyOf(data, gpu.gpu_name)?.pricing.avail_median) ?? [],
      hours: fills.data?.gpus[gpu.gpu_name]?.all.hours_to_rent ?? null,
      cheapest: books.data?.gpus[gpu.gpu_name]?.cheapest?.marginal_price ?? null,
      bid: terms.data?.gpus[gpu.gpu_name]?.min_bid.median ?? null,
      cloud: cloudPriceOf(clouds.data, gpu.gpu_name, sizesOf(gpu.gpu_name)),
    }))
  }, [current.data, courses.data, fills.data, terms.data, books.data, clouds.data, names, view.gpu_memory])
  const own = useMemo(() => new Set(machines.data?.machines.map(({ gpu_name }) => gpu_name)), [machines.data])
  const shown = rowsShown(rows, view.find, view.sort)
  const busy =
    current.isPending ||
    current.isPlaceholderData ||
    courses.isStale ||
    fills.isPlaceholderData ||
    terms.isPlaceholderData ||
    books.isPlaceholderData
  const isRead = !busy && courses.data && fills.data && (books.data || !shows('cheapest'))
  const unknown = isRead ? columnsUnknown(columns, rows) : []
  const known = columns.filter(({ name }) => unknown.every((one) => one.name !== name))
  const hrefOf = (gpu: string) => `${pages.charts}?${writeView({ ...view, gpus: [gpu], layout: 'one' })}`
  const questions = [current, courses, fills, terms, books, clouds]

  return (
    <main id="content" tabIndex={-1}>
      <PageHead title="Market">
        {shown.length > 0 && (
          <button
            type="button"
            class="outline"
            onClick={() => save('market.csv', new Blob([csvOf(columns, shown)], { type: 'text/csv' }))}
          >
            <Icon outline={outlines.download} />
            CSV
          </button>
        )}
      </PageHead>
      <p class="lede">{rows.length > 0 && <Sentence rows={rows} />}</p>
      <form class="filters one-row" onSubmit={(event) => event.preventDefault()}>
        <Search view={view} change={change} first={shown[0] && hrefOf(shown[0].gpu.gpu_name)} />
        <MachineFilters view={view} change={change} />
        <div class="phone-only">
          <Select
            label="Sorted by"
            value={view.sort}
            options={columns.map(
              ({ name, title, fromLowest }) => [fromLowest ? name : `-${name}`, title] as const,
            )}
            onChange={(sort) => change({ sort })}
          />
        </div>
        <output class="quiet found">{current.data && counted(shown.length, 'GPU type')}</output>
        <ColumnChooser columns={columns} onChange={(cols) => change({ cols }, { replace: true })} />
      </form>
      <Status of={questions} hasData={current.data !== undefined} />
      {shown.length === 0 && current.data ? (
        <Nothing view={view} change={change} hasMarket={current.data.slot !== null && names?.length !== 0} />
      ) : (
        <MarketTable
          columns={known}
          rows={shown}
          busy={busy}
          sort={view.sort}
          onSort={(sort) => change({ sort })}
          hrefOf={hrefOf}
          own={own}
        />
      )}
      <p class="note">
        {own.size > 0 && (
          <>
            <OwnDot /> You have machines of this type.{' '}
          </>
        )}
        {unknown.length > 0 &&
          `${filling.value === null ? 'Not known yet' : 'Not known until the history is filled'}: ${unknown.map(({ title, since }) => `${title.toLowerCase()} (${since})`).join(', ')}. `}
        USD per GPU-hour of the newest snapshot; medians are weighted by GPUs. GPU types with fewer than 10
        GPUs are left out here; their charts exist.
        {current.data?.reason === 'no_rentals_known' &&
          ' Rented GPUs, their prices and occupancy are not known from this source.'}
        {shows('bid') && ' Minimum bids are medians of listings.'}
        {shows('cloud') && ' Cloud from is the lowest list price of a cloud, on demand.'}
      </p>
    </main>
  )
}

/** The market of the shown filters in one sentence. */
function Sentence({ rows }: { rows: readonly MarketTableRow[] }) {
  const counted = rows.filter(({ gpu }) => gpu.usage !== null).map(({ gpu }) => gpu)
  const all = counted.reduce((sum, { total_gpus }) => sum + total_gpus, 0)
  const free = counted.reduce((sum, { available_gpus }) => sum + available_gpus, 0)
  const moved = rows.filter(({ gpu }) => gpu.price_change_7d !== null && !gpu.price_thin)
  const rose = moved.filter(({ gpu }) => (gpu.price_change_7d ?? 0) > 0).length
  return (
    <>
      {moved.length > 0 && (
        <>
          Prices rose for{' '}
          <strong>
            {count(rose)} of {count(moved.length)}
          </strong>{' '}
          GPU types this week.{' '}
        </>
      )}
      {all > 0 && (
        <>
          <strong>{percent(1 - free / all)}</strong> of {count(all)} GPUs are rented.
        </>
      )}
    </>
  )
}

interface SearchProps {
  view: View
  change: ReturnType<typeof useView>[1]
  /** The address of the first GPU in the table. */
  first: string | undefined
}

/** Finds a GPU type; Enter opens the first, also when it is still being loaded. The key `/` leads here from anywhere on the page. */
function Search({ view, change, first }: SearchProps) {
  const field = useRef<HTMLInputElement>(null)
  const [, navigate] = useLocation()
  const [opens, setOpens] = useState(false)
  useLayoutEffect(() => {
    if (opens && first) navigate(first)
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event)) return
      event.preventDefault()
      field.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <input
      ref={field}
      type="search"
      class="find"
      placeholder="Find a GPU type"
      aria-label="Find a GPU type"
      aria-keyshortcuts="/"
      maxLength={64}
      value={view.find}
      onInput={({ currentTarget }) => {
        setOpens(false)
        change({ find: currentTarget.value }, { replace: true })
      }}
      onKeyDown={({ key }) => setOpens(key === 'Enter')}
      onBlur={() => setOpens(false)}
    />
  )
}

/** The reason for an empty table, with the step that fixes it. */
function Nothing({ view, change, hasMarket }: Omit<SearchProps, 'first'> & { hasMarket: boolean }) {
  if (!hasMarket) return <NoMarket />
  const [because, action, changes] = view.find
    ? ([`No GPU type is called “${view.find}”`, 'Clear the search', { find: '' }] as const)
    : (['No GPU type has 10 GPUs that match the filters', 'Remove the filters', everyMachine] as const)
  return (
    <NoData icon={outlines.search} title={because}>
      <button type="button" onClick={() => change(changes)}>
        {action}
      </button>
    </NoData>
  )
}
