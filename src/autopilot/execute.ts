import { exactly } from '../../contract/money.ts'
import { isSamePrice } from '../../estimates/autopilot.ts'
import { type Adapter, type Adapters, type Change, NotKnown, NotNow, NotSet } from './adapter.ts'
import { type Callable, forbiddenBy } from './may-call.ts'

export interface ExecutionContext extends Callable {
  adapters: Adapters
  /** Notifies the host that a change failed. */
  onFailed?: (change: Change, reason: string) => Promise<unknown>
}

/** Longer than any call takes, so that no other process calls meanwhile. */
const leaseSeconds = 60

const usd = exactly(4)
const noWay = 'No way to set this price is configured any more'

/**
 * Executes decisions one after the other: some, or all pending ones. Each step is written before the next one begins. So a
 * process may end at any moment, and the next one continues from the written state. Returns the number of ended decisions.
 */
export async function executeDecisions(
  context: ExecutionContext,
  { ids, stop }: { ids?: readonly string[]; stop?: AbortSignal | undefined } = {},
): Promise<number> {
  let ended = 0
  while (!stop?.aborted) {
    const claim = 'autopilot/claim'
    const { rows } = await context.postgres.query<Change>(claim, [leaseSeconds, ids ?? null])
    const [change] = rows
    if (!change) return ended
    if (await executeDecision(context, change)) ended += 1
  }
  return ended
}

/** Executes a change as far as possible now. Returns true if it has ended. */
async function executeDecision(context: ExecutionContext, change: Change): Promise<boolean> {
  const adapter = context.adapters[change.adapter]
  const turn = { context, change, adapter }
  try {
    if (change.state === 'decided') return await callFirst(turn)
    if (change.state === 'called') return await resolveUnknownOutcome(turn)
    return await readBack(turn)
  } catch (error) {
    if (error instanceof NotNow) return fail(turn, error.message, { isPassing: true })
    if (error instanceof NotSet || error instanceof NotKnown) return fail(turn, error.message)
    if (error instanceof Overtaken) return false
    // The outcome is unknown. The next attempt resolves it.
    await note(turn, change.state, error instanceof Error ? error.message : String(error))
    return false
  }
}

interface Execution {
  context: ExecutionContext
  change: Change
  adapter: Adapter | undefined
}

/** Another process has taken the change. */
class Overtaken extends Error {}

async function advanceState(
  { context, change }: Execution,
  next: string,
  { answer, read }: { answer?: string; read?: number | undefined } = {},
): Promise<void> {
  const { id, attempts, state } = change
  const values = [id, attempts, state, next, answer?.slice(0, 1000) ?? null, read ?? null]
  const { rowCount } = await context.postgres.query('autopilot/go_on', values)
  if (rowCount === 0) throw new Overtaken()
  change.state = next as Change['state']
}

const note = (
  { context: { postgres }, change: { id, attempts } }: Execution,
  state: string,
  answer: string,
) =>
  postgres.query(
    'UPDATE autopilot_decisions SET answer = $4 WHERE id = $1 AND attempts = $2 AND state = $3',
    [id, attempts, state, answer.slice(0, 1000)],
  )

async function callFirst(turn: Execution): Promise<boolean> {
  const forbidden = await forbiddenBy(turn.context, turn.change)
  if (forbidden !== undefined) return fail(turn, forbidden)
  if (!turn.adapter) return fail(turn, noWay)
  await advanceState(turn, 'called')
  return call(turn)
}

async function call(turn: Execution): Promise<boolean> {
  const { change, adapter } = turn
  if (!adapter) return fail(turn, noWay)
  const answer = await adapter.set(change)
  // The own marketplace has recorded it already, with the listing.
  if (change.adapter === 'marketplace') change.state = 'answered'
  else await advanceState(turn, 'answered', { answer })
  return readBack(turn)
}

/** The marketplace was called, and its answer was lost. The current price shows the outcome. */
async function resolveUnknownOutcome(turn: Execution): Promise<boolean> {
  const { change, adapter } = turn
  const price = await adapter?.read(change)
  if (price !== undefined && isSamePrice(price, change.new_price)) {
    await advanceState(turn, 'answered', { answer: 'The answer was lost. The price was read instead' })
    return end(turn, price)
  }
  if (price !== undefined && !isSamePrice(price, change.old_price)) return failOther(turn, price)
  if (price === undefined && !adapter?.repeats)
    return fail(
      turn,
      'The marketplace did not respond, so the price may or may not have changed. Check the machine',
    )
  const forbidden = await forbiddenBy(turn.context, change)
  if (forbidden !== undefined) return fail(turn, forbidden)
  return call(turn)
}

async function readBack(turn: Execution): Promise<boolean> {
  const { change, adapter } = turn
  const price = await adapter?.read(change)
  if (price === undefined || isSamePrice(price, change.new_price)) return end(turn, price)
  if (!isSamePrice(price, change.old_price)) return failOther(turn, price)
  if (!change.is_expired) throw new Error(`The marketplace answered, and the price is still ${usd(price)}`)
  return fail(turn, `The marketplace answered, and did not change the price: it is still ${usd(price)}`, {
    read: price,
  })
}

async function end(turn: Execution, read: number | undefined): Promise<boolean> {
  await advanceState(turn, 'read_back', { read })
  return true
}

const failOther = (turn: Execution, price: number) =>
  fail(turn, `The price is ${usd(price)} now: somebody else has changed it`, { read: price })

/** Ends the change and stops the rule, so that it is not repeated without the host. `isPassing`: the rule goes on. */
async function fail(
  turn: Execution,
  answer: string,
  { read, isPassing = false }: { read?: number; isPassing?: boolean } = {},
): Promise<boolean> {
  const { context, change } = turn
  const wasCalled = change.state !== 'decided'
  await advanceState(turn, 'failed', { answer, read })
  if (wasCalled && change.kind === 'change' && !isPassing) {
    const stop =
      'UPDATE autopilot_rules SET stop_reason = $2, version = version + 1 WHERE id = $1 AND stop_reason IS NULL'
    await context.postgres.query(stop, [change.rule_id, `${answer}.`])
  }
  await context.onFailed?.(change, answer)
  return true
}
