import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import {
  groupOf,
  mostTermMachines,
  ownTerms,
  type TermAdvice,
  termAdviceAnswer,
} from '../../../contract/income-by-terms.ts'
import { type AdvisedMachine, sumOfAdvice } from '../../../estimates/income-by-terms.ts'
import { groupBy } from '../../../platform/group-by.ts'
import { openReadCache } from '../../../platform/read-cache.ts'
import {
  classKey,
  readTermRows,
  type TermClass,
  type TermRow,
  termClasses,
} from '../../market/income-by-terms/read-incomes.ts'
import { longestTerms } from '../../market/income-by-terms/route.ts'
import { readMarketState } from '../../market/market-query/answers.ts'
import { publishedBefore, readPublished, whyNoIncomes } from '../../market/market-query/published.ts'
import type { ListedMachine } from '../machines/own-machines.ts'
import type { MachinesOptions } from '../machines/route.ts'

/** The incomes of all machines of a GPU name, and the newest group of each machine by term. */
interface KnownIncomes {
  classes: Map<string, TermClass>
  groupsOf: Map<number, TermRow[]>
}

/** GET /api/v0/metrics/machines/term-advice: terms of own machines with which others like them earned more. */
export const termAdviceRoute: FastifyPluginAsyncZod<
  Pick<MachinesOptions, 'own' | 'clickhouse' | 'series' | 'clock' | 'snapshotInterval'>
> = async (app, { own, clickhouse, ...market }) => {
  const known = openReadCache<string, KnownIncomes, { name: string; to: number }>({
    max: 100,
    fetchMethod: (_key, _stale, { context: { name, to } }) => readIncomes(name, to),
  })
  const readIncomes = async (name: string, to: number): Promise<KnownIncomes> => {
    const rows = await readTermRows(clickhouse, [name], { ...allMachines, to })
    const newest = [...groupBy(rows, ({ machine_id, term }) => `${machine_id} ${term}`).values()].flatMap(
      (of) => of.toSorted((one, other) => other.last_day - one.last_day).slice(0, 1),
    )
    return { classes: termClasses(rows), groupsOf: groupBy(newest, ({ machine_id }) => machine_id) }
  }
  app.get(
    '/api/v0/metrics/machines/term-advice',
    {
      config: { permissions: ['machine_read'], access: 'host' },
      schema: {
        operationId: 'readTermAdvice',
        summary: 'Advice on terms of own machines',
        description: `For each machine of the account: the smallest part that can be rented, the days until the listing ends and the minimum bid ÷ price
with which others of its GPU name, size of memory and rig size earned more a day, of the 30 days before the newest published day. The terms of a machine are
as of that day. Incomes are at the prices that renters pay. Observed, not caused.`,
        tags: ['metrics'],
        response: { 200: termAdviceAnswer },
      },
    },
    async ({ caller }) => {
      const state = await readMarketState(market)
      const page = { limit: mostTermMachines, after: 0, id: 0 }
      const [{ machines }, { of }] = await Promise.all([
        own.page(caller.accountId, page),
        own.ids([caller.accountId]),
      ])
      const question = publishedBefore(state, longestTerms)
      const { to, days } = await readPublished(clickhouse, question, longestTerms)
      const reason = whyNoIncomes(days, question.hasRentals)
      const names = reason ? [] : [...new Set(machines.map(({ gpu_name }) => gpu_name))]
      const incomes = new Map(
        await Promise.all(
          names.map(async (name) => {
            const key = `${name} ${to} ${question.published}`
            return [name, await known.forceFetch(key, { context: { name, to } })] as const
          }),
        ),
      )
      const advised = machines.flatMap((machine) => adviceOf(machine, incomes.get(machine.gpu_name), reason))
      return {
        success: true as const,
        to: to || null,
        days,
        advice: advised.map(({ advice }) => advice),
        sums: ownTerms.map((term) => sumOf(term, advised)),
        left_out: Math.max(0, (of.get(caller.accountId)?.length ?? 0) - machines.length),
      }
    },
  )
}

const allMachines = { verified: 'all', hosting_type: 'all', num_gpus: 0, gpu_memory: 0 } as const

interface Advised {
  advice: TermAdvice
  /** Its part of the sum; null: there is no advice. */
  counted: AdvisedMachine | null
}

function adviceOf(
  { id, gpu_name, num_gpus }: ListedMachine,
  incomes: KnownIncomes | undefined,
  reason: ReturnType<typeof whyNoIncomes>,
): Advised[] {
  const rows = (incomes?.groupsOf.get(id) ?? []).filter(({ rig }) => rig === num_gpus)
  return ownTerms.map((term) => {
    const row = rows.find((one) => one.term === term)
    const of = row && incomes?.classes.get(classKey(row))
    const group = of?.groups.find(({ level }) => level === row?.level)
    const better = group?.better ?? null
    const more = better && scaled(better.more, num_gpus)
    const why = reason ?? (row ? 'few_machines' : 'not_known')
    return {
      advice: {
        machine_id: id,
        gpu_name,
        num_gpus,
        term,
        now: group ? groupOf(term, group.level) : null,
        better: better && groupOf(term, better.level),
        more_per_day: more,
        reason: group ? group.reason : why,
      },
      counted: row && better && more ? { class: classKey(row), more } : null,
    }
  })
}

const scaled = ({ value, low, high }: AdvisedMachine['more'], gpus: number): AdvisedMachine['more'] => ({
  value: gpus * value,
  low: gpus * low,
  high: gpus * high,
})

function sumOf(term: TermAdvice['term'], advised: readonly Advised[]) {
  const counted = advised.flatMap((one) => (one.advice.term === term ? (one.counted ?? []) : []))
  return {
    term,
    machines: counted.length,
    more_per_day: counted.length > 0 ? sumOfAdvice(counted) : null,
  }
}
