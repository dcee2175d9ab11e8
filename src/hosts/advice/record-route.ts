import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sum } from 'simple-statistics'
import {
  type AdviceOutcomes,
  adviceRecordAnswer,
  type GivenAdvice,
  mostAdvice,
} from '../../../contract/advice-record.ts'
import { day } from '../../../contract/durations.ts'
import { recordOf } from '../../../estimates/forecast.ts'
import { plain } from '../../market/market-query/plain.ts'
import type { MachinesOptions } from '../machines/route.ts'

const counted = 90 * day

interface Row extends Omit<GivenAdvice, 'gain_per_day' | 'before_per_day' | 'after_per_day'> {
  gain: number
  gain_low: number
  gain_high: number
  before: number
  after: number | null
}

/** GET /api/v0/metrics/machines/advice/record: the advice that the caller's machines were given, and its outcomes. */
export const adviceRecordRoute: FastifyPluginAsyncZod<
  Pick<MachinesOptions, 'site' | 'clock'> & { source?: string | undefined }
> = async (app, { site, clock, source }) => {
  app.get(
    '/api/v0/metrics/machines/advice/record',
    {
      config: { permissions: ['machine_read'], access: 'host' },
      schema: {
        operationId: 'readAdviceRecord',
        summary: 'Track record of advice on prices',
        description: `The advice to raise, lower or try prices of the account's machines, as it was given once a day, and the outcome of the seven days after it:
if it was followed, and what the machine earned a day before and after, beside the claimed gain.`,
        tags: ['metrics'],
        response: { 200: adviceRecordAnswer },
      },
    },
    async ({ caller }) => {
      const since = Math.floor(clock.now()) - counted
      const { rows } = await site.query<Row>('advice/given', [
        caller.accountId,
        source ?? null,
        since,
        mostAdvice,
      ])
      const followed = outcomesOf(rows.filter((row) => row.followed === true))
      const not_followed = outcomesOf(rows.filter((row) => row.followed === false))
      return plain({ success: true as const, since, followed, not_followed, advice: rows.map(given) })
    },
  )
}

const given = ({ gain, gain_low, gain_high, before, after, ...row }: Row): GivenAdvice => ({
  ...row,
  gain_per_day: { value: gain, low: gain_low, high: gain_high },
  before_per_day: before,
  after_per_day: after,
})

/** Sums and hits of advice whose outcome is known. A claim is a forecast of the income after it. */
function outcomesOf(rows: readonly Row[]): AdviceOutcomes {
  const known = rows.flatMap((row) => (row.after === null ? [] : [{ ...row, after: row.after }]))
  const { forecasts, coverage, error_ratio } = recordOf(
    known.map(({ before, after, ...row }) => ({
      now: before,
      value: before + row.gain,
      low: before + row.gain_low,
      high: before + row.gain_high,
      probability: 0,
      outcome: after,
    })),
    { least: Number.NEGATIVE_INFINITY },
  )
  const total = (read: (row: (typeof known)[number]) => number) => sum(known.map(read))
  const isNone = forecasts === 0
  return {
    count: forecasts,
    before_per_day: isNone ? null : total(({ before }) => before),
    after_per_day: isNone ? null : total(({ after }) => after),
    claimed_per_day: isNone
      ? null
      : {
          value: total(({ gain }) => gain),
          low: total(({ gain_low }) => gain_low),
          high: total(({ gain_high }) => gain_high),
        },
    coverage,
    error_ratio,
  }
}
