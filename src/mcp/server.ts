import { McpServer } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { CallApi } from './call-api.ts'
import { runSql, sqlDescription, sqlInput } from './run-sql.ts'
import { answerTool, CannotAnswer, ofSource, strictInput, type Tool } from './tool.ts'
import { adviceRecord } from './tools/advice-record.ts'
import { autopilot } from './tools/autopilot.ts'
import { availability } from './tools/availability.ts'
import { currentMarket } from './tools/current-market.ts'
import { fillRates } from './tools/fill-rates.ts'
import { fillRatesByTerms } from './tools/fill-rates-by-terms.ts'
import { fleetAdvice } from './tools/fleet-advice.ts'
import { gpuTypes } from './tools/gpu-types.ts'
import { incomeByTerms } from './tools/income-by-terms.ts'
import { listPrices } from './tools/list-prices.ts'
import { listingTerms } from './tools/listing-terms.ts'
import { orderBook } from './tools/order-book.ts'
import { ownMachines } from './tools/own-machines.ts'
import { priceDistribution } from './tools/price-distribution.ts'
import { priceHistory } from './tools/price-history.ts'
import { priceIndex } from './tools/price-index.ts'
import { rentalHours } from './tools/rental-hours.ts'
import { replay } from './tools/replay.ts'
import { returns } from './tools/returns.ts'
import { revenue } from './tools/revenue.ts'
import { sources } from './tools/sources.ts'
import { startPrice } from './tools/start-price.ts'
import { termAdvice } from './tools/term-advice.ts'
import { worth } from './tools/worth.ts'

const instructions = `Market statistics of a GPU rental marketplace. Every answer names its source, its snapshot and its age, and the unit and
definition of each figure: repeat them with the figure. If \`simulated\` is true, say that the market is simulated. null means that there was nothing to
measure, never zero. A \`note\` says what was left out and how to ask for it.`

/** The data of a connection: the API with the connection's key. */
export interface Asker {
  call: CallApi
  clock: Clock
  isAdmin: boolean
}

/** An MCP server whose tools call the API. */
export function makeMcpServer({ call, clock, isAdmin }: Asker): McpServer {
  const server = new McpServer(
    { name: 'rackrate', version: '1.0.0' },
    { instructions, maxToolInputElements: 200 },
  )
  const add = <Input extends z.ZodObject>(
    tool: Tool<Input>,
    shape: z.ZodRawShape = { ...tool.input.shape, ...ofSource.shape },
  ) => {
    const { name, title, description } = tool
    const inputSchema = strictInput(shape)
    server.registerTool(name, { title, description, inputSchema, annotations }, ((input: z.output<Input>) =>
      told(() => answerTool(tool, input, { call, clock }))) as never)
  }
  add(sources, {})
  add(listPrices, listPrices.input.shape)
  add(listingTerms)
  add(gpuTypes)
  add(currentMarket)
  add(priceHistory)
  add(revenue)
  add(returns)
  add(worth)
  add(fillRates)
  add(fillRatesByTerms)
  add(rentalHours)
  add(incomeByTerms)
  add(priceIndex)
  add(orderBook)
  add(priceDistribution)
  add(availability)
  add(ownMachines)
  add(fleetAdvice)
  add(startPrice)
  add(adviceRecord)
  add(termAdvice)
  add(autopilot, {})
  add(replay)
  if (isAdmin)
    server.registerTool(
      'run_sql',
      {
        title: 'SQL for admins',
        description: sqlDescription,
        inputSchema: strictInput(sqlInput.shape),
        annotations,
      },
      ((input: z.output<typeof sqlInput>) => told(() => runSql(input, call))) as never,
    )
  return server
}

const annotations = { readOnlyHint: true, openWorldHint: false }

/** An answer, or an error that the assistant can correct. */
async function told(answer: () => Promise<string>) {
  try {
    return { content: [{ type: 'text' as const, text: await answer() }] }
  } catch (error) {
    if (!(error instanceof CannotAnswer)) throw error
    return { content: [{ type: 'text' as const, text: error.message }], isError: true }
  }
}
