import type { z } from 'zod'
import type { GpuHistory, historyAnswer } from '../../contract/history.ts'

export type HistoryAnswer = z.infer<typeof historyAnswer>

export interface HistoryQuestion {
  gpu_name: string
  verified: string
  hosting_type: string
  num_gpus: string
  /** Unix seconds; a `start` below zero counts back from now. Without `end`: until now. */
  start: number
  end?: number | undefined
  step?: number | undefined
}

/** A history with the facts of its headers. Times in unix seconds. */
export interface History extends HistoryAnswer {
  question: HistoryQuestion
  start: number
  end: number
  step: number
  /** The newest snapshot; 0: there is none. */
  newestSlot: number
  simulated: boolean
  /** Milliseconds until a newer answer may exist. */
  freshFor: number
}

/** Address of a history below the base address, as a program would ask for it. */
export function historyPath(question: HistoryQuestion, now: number): string {
  const start = question.start < 0 ? now + question.start : question.start
  const parameters = Object.entries({ ...question, start })
  const given = parameters.filter(([, value]) => value !== undefined)
  return `api/v0/metrics/gpu/history?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

/** The history of a GPU; undefined: the answer does not include it. */
export function historyOf({ gpus, question }: History, name: string): GpuHistory | undefined {
  const isAsked = question.gpu_name === 'all' || question.gpu_name.split(',').includes(name)
  return isAsked && Object.hasOwn(gpus, name) ? gpus[name] : undefined
}
