import { useLayoutEffect, useMemo } from 'preact/hooks'
import { useLocation, useSearch } from 'wouter-preact'
import { chartChoices } from '../contract/chart-choices.ts'
import { filterChoices } from '../contract/market-filter.ts'
import { present } from './clock.ts'

/** Choices of the page, the default first. */
const choices = {
  layout: ['one', 'compare', 'grid'],
  /** What is shown of one GPU type. */
  tab: ['market', 'book', 'forecast'],
  metric: chartChoices.metric,
  side: chartChoices.side,
  unit: chartChoices.unit,
  score: chartChoices.score,
  ...filterChoices,
  range: ['7d', '24h', '30d', '90d', '1y', 'all', 'custom'],
  mine: ['yes', 'no'],
  axis: chartChoices.axis,
  before: ['no', 'yes', 'week'],
  together: ['no', 'yes'],
  zone: chartChoices.zone,
  show: ['all', 'attention', 'offline', 'idle', 'dear', 'cheap', 'rented', 'unlisted'],
  rows: ['machines', 'classes'],
} as const

type Choices = { [Name in keyof typeof choices]: (typeof choices)[Name][number] }
export type Metric = Choices['metric']

/** Everything that decides what the pages about the market show. All of it is in the address: a link reproduces it. */
export interface View extends Choices {
  /** GPU names; empty: not chosen yet; `all` alone: every one. */
  gpus: string[]
  /** Which of them is looked at when it's one. */
  focus: string
  num_gpus: string
  /** GB per GPU. */
  gpu_memory: string
  /** Unix seconds, with range `custom`. */
  from: number
  to: number
  /** Seconds; 0: as fits the range. */
  step: number
  /** Groups of legends that are switched off. */
  hidden: string[]
  /** How many GPUs are needed at once, and what each may cost: USD per GPU-hour, as it was typed. */
  need: number
  most: string
  /** The column that the table of the market is sorted by, with `-` in front from the highest. */
  sort: string
  /** Its columns; empty: the usual ones. */
  cols: string[]
  /** What its GPU names contain. */
  find: string
  /** The own machine that is priced; 0: a class of machines is. */
  machine: number
  /** USD per GPU-hour, as it was chosen. */
  price: string
  /** Which part of a long table, from 1. */
  page: number
}

/** Ranges that end now, in seconds. */
export const ranges: Record<Exclude<View['range'], 'custom' | 'all'>, number> = {
  '24h': 86_400,
  '7d': 7 * 86_400,
  '30d': 30 * 86_400,
  '90d': 90 * 86_400,
  '1y': 365 * 86_400,
}

/** Of the tables: the most GPUs first. */
export const usualSort = '-gpus'

const listOf = (text: string | null): string[] => (text ? text.split(',').filter(Boolean) : [])
const priceOf = (text: string | null): string =>
  /^\d{1,7}(\.\d{1,9})?$/.test(text ?? '') ? (text ?? '') : ''
/** Machines of a source have ids of their own, which may be larger than other numbers. */
const machineIdOf = (text: string | null): number =>
  /^\d{1,16}$/.test(text ?? '') && Number.isSafeInteger(Number(text)) ? Number(text) : 0
const integerOf = (text: string | null): number => (text && /^\d{1,10}$/.test(text) ? Number(text) : 0)

/** How many GPUs the API looks for at most. */
export const mostNeeded = 1_000_000
export const neededOf = (count: number): number => Math.min(mostNeeded, Math.max(1, Math.round(count)))

/** From when to when, unix seconds. */
export interface Span {
  from: number
  to: number
}

/** What a view shows of time. `data`: what there is data of. */
export function rangeOf({ range, from, to }: View, data: Span): Span {
  if (range === 'custom') return { from, to }
  const now = Math.floor(present())
  if (range !== 'all') return { from: now - ranges[range], to: now }
  // Of a series that goes on: until now.
  return { from: data.from, to: data.to > now - 86_400 ? now : data.to + 1 }
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
    page: integerOf(given.get('page')) || 1,
  }
}

/** The address of a view, without defaults. */
export function writeView(view: View): string {
  const chosen = Object.entries(choices).map(([name, [usual]]) => [name, view[name as keyof Choices], usual])
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
    ['page', String(view.page), '1'],
  ]
  return new URLSearchParams(
    [...others, ...chosen].flatMap(([name = '', value = '', usual]) =>
      value === usual ? [] : [[name, value]],
    ),
  ).toString()
}

/** Changes to a view, and how the address keeps them. */
type Change = (changes: Partial<View>, options?: { replace?: boolean; state?: unknown }) => void

/** The view in the address, and how to change it. */
export function useView(): [View, Change] {
  const search = useSearch()
  const [path, navigate] = useLocation()
  const view = useMemo(() => readView(search), [search])
  return [
    view,
    (changes, { replace = false, state = changes.range ? null : window.history.state } = {}) => {
      // From the address as it is now, so that two changes of one moment add up.
      const search = writeView({ ...readView(location.search), ...changes })
      navigate(search ? `${path}?${search}` : path, { replace, state })
    },
  ]
}

/**
 * The view with a choice for what it leaves open; undefined: it leaves nothing open. The choice holds at once, and goes into the address, too, so
 * that a link shows others the same.
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

/** The GPU that is looked at when it's one. */
export const focusOf = ({ focus }: View, chosen: readonly string[]): string =>
  chosen.includes(focus) ? focus : (chosen[0] ?? '')
