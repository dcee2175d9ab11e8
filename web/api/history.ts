import type { z } from 'zod'
import type { GpuHistory, historyAnswer } from '../../contract/history.ts'
import { countFigures, priceFigures } from '../../contract/history-figures.ts'
import { askedFilters, type Filters } from '../../contract/market-filter.ts'
import { recordOf } from '../../contract/records.ts'
import { present } from '../clock.ts'

export type HistoryAnswer = z.infer<typeof historyAnswer>

export interface HistoryQuestion extends Filters {
  gpu_name: string
  /** Unix seconds; a `start` below zero counts back from now. Without `end`: until now. */
  start: number
  end?: number | undefined
  step?: number | undefined
  /** Another market than the one on the page. */
  source?: string
}

/** A history with the facts of its headers. Times in unix seconds. */
export interface History extends HistoryAnswer {
  question: HistoryQuestion
  start: number
  end: number
  step: number
  /** The time of the newest snapshot; 0: there is none. */
  newestSlot: number
  simulated: boolean
  /** False: the source does not say which GPUs are rented. */
  hasRentals: boolean
  /** Milliseconds until a newer answer may exist. */
  freshFor: number
  /** Points before this time are official aggregates, not own observations. */
  officialBefore?: number
}

/** A query to an endpoint of the market. A `start` below zero counts back from now. */
export type MarketQuestion = Record<string, string | number | undefined>

/** The address of a query below the base URL, as a program would request it. */
export function marketPath(endpoint: string, question: MarketQuestion, now: number): string {
  const start =
    typeof question.start === 'number' && question.start < 0 ? now + question.start : question.start
  const given = Object.entries(askedFilters({ ...question, start })).filter(
    ([, value]) => value !== undefined,
  )
  return `api/v0/metrics/gpu/${endpoint}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

/** The facts in the headers of a history: its step in seconds, the newest snapshot in unix seconds, and the time until it is stale, ms. */
export const factsOf = (headers: Headers) => ({
  step: Number(headers.get('rackrate-step')),
  newestSlot: Number(headers.get('rackrate-newest-slot')),
  simulated: headers.get('rackrate-simulated') === 'true',
  hasRentals: !headers.has('rackrate-rentals'),
  freshFor:
    Math.max(5, Number(/max-age=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1] ?? 60) + 2) * 1000,
})

/** The present time in whole minutes, so that a query has the same address for a while. */
export const thisMinute = (): number => Math.floor(present() / 60) * 60

/** A placeholder for an answer that is being read: its charts have their places and names, and no figures. */
export function awaitedHistory(question: HistoryQuestion, names: readonly string[]): History {
  const now = thisMinute()
  return {
    success: true,
    needs_machine: false,
    gpus: Object.fromEntries(names.map((name) => [name, blank])),
    question: { ...question, gpu_name: 'all' },
    start: question.start < 0 ? now + question.start : question.start,
    end: question.end ?? now,
    step: 0,
    newestSlot: 0,
    simulated: false,
    hasRentals: true,
    freshFor: 0,
  }
}

const none: never[] = []
const blank: GpuHistory = {
  supply_demand: {
    timestamps: none,
    bucket_size: 1,
    ...recordOf(countFigures, () => none),
  },
  pricing: { timestamps: none, ...recordOf(priceFigures, () => none) },
  stats: { tflops: null, dlperf: null, tflops_per_dollar: null, dlperf_per_dollar: null },
}

/** The history of a GPU; undefined: the answer does not include it. */
export function historyOf({ gpus, question }: History, name: string): GpuHistory | undefined {
  const isAsked = question.gpu_name === 'all' || question.gpu_name.split(',').includes(name)
  return isAsked && Object.hasOwn(gpus, name) ? gpus[name] : undefined
}

/** True if no machine of these GPUs was on the market. */
export const isEmpty = (history: History, names: readonly string[]): boolean =>
  names.every((name) => historyOf(history, name)?.supply_demand.total.every((total) => total === 0) ?? true)
