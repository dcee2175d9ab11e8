import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { z } from 'zod'
import { everyMachine, type Filters, filterParameters } from '../../contract/market-filter.ts'
import { loadSql, sqlFragments, sqlNames, statementNames } from '../../platform/stores/sql-files.ts'
import type { Tool } from '../../src/mcp/tool.ts'
import { queryOf, questionOf } from '../../src/publish/shares/shared-question.ts'

/** The other names of filters, in fragments of the lattice. */
const inLattice: Record<keyof Filters, string> = {
  verified: 'is_verified|verified_filter',
  hosting_type: 'hosting|hosting_filter',
  num_gpus: 'rig|rig_filter',
  gpu_memory: 'memory|memory_filter',
}
/** A value of each filter, other than its value for all machines. */
const chosen: Filters = { verified: 'no', hosting_type: 'community', num_gpus: '4', gpu_memory: '80' }
const names = Object.keys(everyMachine)

const fragments = [...sqlFragments].filter(([name]) => name.startsWith('filter_'))
/** Statements with the hosting type only: places of machines, gauges by data center, prices of own machines, and columns of an earlier release. */
const exempt = [
  'queries/exporter/prices',
  'queries/autopilot/asks',
  'queries/locations/machines',
  'queries/schema/unknown_tables',
]
const statements = [...sqlNames('clickhouse/views'), ...statementNames]
  .filter((name) => name.startsWith('clickhouse/'))
  .filter((name) => !exempt.some((one) => name.endsWith(one)))

/** The names of columns and parameters: SQL without its comments and words in quotes. */
const columnsIn = (text: string) => text.replace(/--.*|'[^']*'/g, '')

it.each(fragments)('%s has every filter', (name, sql) => {
  // Each bin has one value of `verified` and one size of memory, so these filters keep or drop whole bins.
  const sized = ['verified', 'gpu_memory']
  const left = { filter_unsplit: sized, filter_all_sizes: ['gpu_memory'] }[name] ?? []
  const text = columnsIn(sql)
  const isThere = (filter: string) =>
    new RegExp(`\\b(${filter}|${inLattice[filter as keyof Filters]})\\b`).test(text)
  expect(names.filter((filter) => !isThere(filter))).toEqual(left)
})

it('a statement that has the hosting type of machines has every filter', () => {
  const incomplete = statements.flatMap((name) => {
    const text = columnsIn(loadSql(name))
    const missing = names.filter((filter) => !new RegExp(`\\b${filter}\\b`).test(text))
    // Statements that write observations have gpu_ram, from which ClickHouse computes the size of memory.
    const isWritten = text.includes('gpu_ram') && missing.join() === 'gpu_memory'
    return missing.length > 0 && text.includes('hosting_type') && !isWritten ? [`${name}: ${missing}`] : []
  })
  expect(incomplete).toEqual([])
})

it('a shared chart keeps every filter of its question', () => {
  const query = `${new URLSearchParams({ gpu_name: 'L4', ...chosen })}`
  const kept = new URLSearchParams(queryOf(questionOf({ query, last: 3600 }, 1_800_000_000), undefined))
  for (const [name, value] of Object.entries(chosen)) expect(kept.get(name), name).toBe(value)
})

it('every tool that takes a filter takes all of them, and asks the API for each', async () => {
  const folder = new URL('../../src/mcp/tools/', import.meta.url)
  const modules = await Promise.all(readdirSync(folder).map((file) => import(new URL(file, folder).pathname)))
  const exported: unknown[] = modules.flatMap((exports) => Object.values(exports))
  const tools = exported.filter(
    (one): one is Tool => typeof one === 'object' && one !== null && 'input' in one,
  )
  const filtered = tools.filter(({ input }) => names.some((name) => name in input.shape))
  expect(filtered.length).toBeGreaterThan(5)
  for (const { name, input, path } of filtered) {
    expect(Object.keys(input.shape), name).toEqual(expect.arrayContaining(names))
    const given = { gpu_name: 'L4', ...chosen, num_gpus: 4, gpu_memory: 80, price: 1 }
    const fields = Object.fromEntries(Object.entries(given).filter(([field]) => field in input.shape))
    const ask = path as (given: z.output<z.ZodObject>, now: number) => string
    const asked = new URL(ask(input.parse(fields), 1_800_000_000), 'http://127.0.0.1').searchParams
    for (const [filter, value] of Object.entries(chosen)) expect(asked.get(filter), name).toBe(value)
  }
})

it('no choice of rig sizes is all of them, in a question and in what an assistant asks', () => {
  expect(filterParameters({ ...everyMachine, num_gpus: 0, gpu_memory: 0 })).toEqual(everyMachine)
  expect(filterParameters({})).toEqual(everyMachine)
})
