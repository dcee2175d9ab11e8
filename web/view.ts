import { useLayoutEffect, useMemo } from 'preact/hooks'
import { useLocation, useSearch } from 'wouter-preact'
import { chartChoices } from '../contract/chart-choices.ts'
import { day } from '../contract/durations.ts'
import { filterChoices } from '../contract/market-filter.ts'
import { keysOf } from '../contract/records.ts'
import { present } from './clock.ts'

/** Choices of the page, the default first. */
const choices = {
  layout: ['one', 'compare', 'grid'],
  /** The tabs of one GPU type. */
  tab: ['market', 'book', 'forecast'],
  metric: chartChoices.metric,
  side: chartChoices.side,
  unit: chartChoices.unit,
  score: chartChoices.score,
  ...filterChoices,
  verified: [...filterChoices.verified, 'unverified', 'deverified'],
  range: ['7d', '24h', '30d', '90d', '1y', 'all', 'custom'],
  mine: ['yes', 'no'],
  axis: chartChoices.axis,
  before: ['no', 'yes', 'week'],
  together: ['no', 'yes'],
  zone: chartChoices.zone,
  show: ['all', 'attention', 'offline', 'idle', 'dear', 'cheap', 'rented', 'unlisted'],
  rows: ['machines', 'classes'],
  /** The time whose earnings the first page shows. */
  period: ['week', 'day', 'month'],
  /** The places of the map. */
  by: ['country', 'region'],
  /** The order of what to buy, its days, and the rig sizes of a GPU type. */
  rank: ['net', 'payback', 'watt'],
  days: ['30', '90'],
  rigs: ['best', 'all'],
} as const

type Choices = { [Name in keyof typeof choices]: (typeof choices)[Name][number] }
export type Metric = Choices['metric']

/** Everything that decides what the pages about the market show. All of it is in the address: a link reproduces it. */
export interface View extends Choices {
  /** GPU names; empty: not chosen yet; `all` alone: every one. */
  gpus: string[]
  /** The focused GPU in the layout of a single GPU. */
  focus: string
  num_gpus: string
  /** GB per GPU. */
  gpu_memory: string
  /** Unix seconds, with range `custom`. */
  from: number
  to: number
  /** Seconds; 0: as fits the range. */
  step: number
  /** Groups of the legend that are switched off. */
  hidden: string[]
  /** The number of GPUs needed at once, and the highest price of each (USD per GPU-hour, as typed). */
  need: number
  most: string
  /** The column that the table of the market is sorted by, with `-` in front from the highest. */
  sort: string
  /** The columns of the market table; empty: the default ones. */
  cols: string[]
  /** The text that GPU names in the market table must contain. */
  find: string
  /** The own machine that is priced; 0: a class of machines is priced. */
  machine: number
  /** The chosen price, USD per GPU-hour. */
  price: string
  /** Purchase prices of GPUs as the API takes them: NAME:USD,NAME:USD. */
  buy: string
  /** The page of a long table, from 1. */
  page: number
}

/** Ranges that end now, in seconds. */
export const ranges: Record<Exclude<View['range'], 'custom' | 'all'>, number> = {
  '24h': day,
  '7d': 7 * day,
  '30d': 30 * day,
  '90d': 90 * day,
  '1y': 365 * day,
}

/** The default order of tables: the most GPUs first. */
export const usualSort = '-gpus'

const listOf = (text: string | null): string[] => (text ? text.split(',').filter(Boolean) : [])
const priceOf = (text: string | null): string =>
  /^\d{1,7}(\.\d{1,9})?$/.test(text ?? '') ? (text ?? '') : ''
const boughtOf = (text: string | null): string =>
  /^([^:,]{1,64}:\d{1,7}(\.\d{1,2})?(,|$)){0,100}$/.test(text ?? '') ? (text ?? '') : ''
/** Machines of a source have ids of their own, which may be larger than other numbers. */
const machineIdOf = (text: string | null): number =>
  /^\d{1,16}$/.test(text ?? '') && Number.isSafeInteger(Number(text)) ? Number(text) : 0
const integerOf = (text: string | null): number => (text && /^\d{1,10}$/.test(text) ? Number(text) : 0)

/** The most GPUs that the API searches for. */
export const mostNeeded = 1_000_000
export const neededOf = (count: number): number => Math.min(mostNeeded, Math.max(1, Math.round(count)))

/** A range of time, unix seconds. */
export interface Span {
  from: number
  to: number
}

/** The range of a view. `data`: the range with data. */
export function rangeOf({ range, from, to }: View, data: Span): Span {
  if (range === 'custom') return { from, to }
  const now = Math.floor(present())
  if (range !== 'all') return { from: now - ranges[range], to: now }
  // A series with recent data is shown until now.
  return { from: data.from, to: data.to > now - day ? now : data.to + 1 }
}

/** Reads an address. Values that are not understood are ignored. */
export function readView(search: string): View {
  const given = new URLSearchParams(search)
  const chosen = Object.fromEntries(
    Object.entries(choices).map(([name, values]) => {
      const value = given.get(name) ?? ''
      return [name, (values as readonly string[]).includes(value) ? value : values[0]]
    }),
  ) as Choices
  const [from, to] = [integerOf(given.get('from')), integerOf(given.get('to'))]
  const isRange = from < to
  return {
    ...chosen,
    range: chosen.range === 'custom' && !isRange ? '7d' : chosen.range,
    gpus: listOf(given.get('gpu')),
    focus: given.get('focus') ?? '',
    num_gpus: String(integerOf(given.get('num_gpus')) || 'all'),
    gpu_memory: String(integerOf(given.get('gpu_memory')) || 'all'),
    from,
    to,
    step: integerOf(given.get('step')),
    hidden: listOf(given.get('hidden')),
    need: neededOf(integerOf(given.get('need'))),
    most: priceOf(given.get('most')),
    sort: given.get('sort') ?? usualSort,
    cols: listOf(given.get('cols')),
    find: given.get('find') ?? '',
    machine: machineIdOf(given.get('machine')),
    price: priceOf(given.get('price')),
    buy: boughtOf(given.get('buy')),
    page: integerOf(given.get('page')) || 1,
  }
}

/** The address of a view, without defaults. */
export function writeView(view: View): string {
  const chosen = keysOf(choices).map((name) => [name, view[name], choices[name][0]])
  const others = [
    ['gpu', view.gpus.join(), ''],
    ['focus', view.focus, ''],
    ['num_gpus', view.num_gpus, 'all'],
    ['gpu_memory', view.gpu_memory, 'all'],
    ['from', view.range === 'custom' ? String(view.from) : '', ''],
    ['to', view.range === 'custom' ? String(view.to) : '', ''],
    ['step', String(view.step), '0'],
    ['hidden', view.hidden.join(), ''],
    ['need', String(view.need), '1'],
    ['most', view.most, ''],
    ['sort', view.sort, usualSort],
    ['cols', view.cols.join(), ''],
    ['find', view.find, ''],
    ['machine', String(view.machine), '0'],
    ['price', view.price, ''],
    ['buy', view.buy, ''],
    ['page', String(view.page), '1'],
  ]
  return new URLSearchParams(
    [...others, ...chosen].flatMap(([name = '', value = '', usual]) =>
      value === usual ? [] : [[name, value]],
    ),
  ).toString()
}

/** Changes to a view. Each is a step on the way back, except with `replace`: for what is typed or dragged. */
type Change = (changes: Partial<View>, options?: { replace?: boolean; state?: unknown }) => void

/** The view in the address, and a function to change it. */
export function useView(): [View, Change] {
  const search = useSearch()
  const [path, navigate] = useLocation()
  const view = useMemo(() => readView(search), [search])
  return [
    view,
    (changes, { replace = false, state = changes.range ? null : window.history.state } = {}) => {
      // Applied to the present address, so that two simultaneous changes add up.
      const search = writeView({ ...readView(location.search), ...changes })
      navigate(search ? `${path}?${search}` : path, { replace, state })
    },
  ]
}

/**
 * Fills the open choices of a view; `choice` undefined: nothing is open. The choice counts at once, and is written into the address, so that a link
 * shows the same to others.
 */
export function useChoice([view, change]: [View, Change], choice: Partial<View> | undefined): View {
  useLayoutEffect(() => {
    if (choice) change(choice, { replace: true })
  })
  return choice ? { ...view, ...choice } : view
}

type Range = Pick<View, 'range' | 'from' | 'to'>

/** Zooming in and out. The former ranges are kept in the browser's history entry, so that other changes keep the way back. */
export function useZoom([{ range, from, to }, change]: [View, Change]) {
  const before = (): Range[] => window.history.state?.zooms ?? []
  return {
    zoom(left: number, right: number): void {
      const state = { zooms: [...before(), { range, from, to }] }
      change({ range: 'custom', from: left, to: right, step: 0 }, { state })
    },
    back(): void {
      const zooms = before()
      const last = zooms.at(-1)
      if (last) change(last, { state: { zooms: zooms.slice(0, -1) } })
      else if (range === 'custom') change({ range: '7d' })
    },
  }
}

/** The focused GPU in the layout of a single GPU. */
export const focusOf = ({ focus }: View, chosen: readonly string[]): string =>
  chosen.includes(focus) ? focus : (chosen[0] ?? '')
