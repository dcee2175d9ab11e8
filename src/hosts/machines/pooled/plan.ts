import type { OwnFigures } from '../../../../contract/machines.ts'
import { exactly } from '../../../../contract/money.ts'
import type { Margin } from '../../../../estimates/costs.ts'
import { heldWords } from '../../../../estimates/fleet-words.ts'
import type { MachineFit } from '../../../../estimates/pooled/advise.ts'
import type { CountedMachine } from '../../../../estimates/pooled/counts.ts'
import { type FleetMachine, type FleetPlan, planFleet } from '../../../../estimates/pooled/fleet.ts'
import type { Steps } from '../../../../estimates/pooled/steps.ts'
import { seededFor } from '../../../../simulate/random.ts'
import { type GivenAdvice, inHostPrices, type PricedMachine, priceAdvice } from '../price-advice.ts'

type Advice = OwnFigures['advice']

/** Draws are always the same, so advice changes only with the counts. */
export const drawsOf = (of: number) => seededFor(1, of)

/** A machine whose rates are estimated. */
export interface PlannedMachine extends CountedMachine, PricedMachine {
  margin: Margin | null
}

/** The plan of an account's machines of one product. */
export interface Plan extends FleetPlan {
  advice: ReadonlyMap<number, Advice>
  /** Intervals of gains are wider by this factor. */
  doubt: number
}

/** Advice on single machines. A changed price changes the advice on its machine only; the plan is made anew. */
export interface AdviceMemory {
  get(key: string): GivenAdvice | undefined
  set(key: string, advice: GivenAdvice): unknown
}

interface Planning {
  fitOf(machine: CountedMachine): MachineFit | null
  /** The number of the market's fit. */
  market: number
  advised: AdviceMemory
  /** True: as if no other machine of the account changed its price. */
  isAlone: boolean
}

/** Advises on each machine, and then on all of them together unless each is alone. */
export function* planOf(
  machines: readonly PlannedMachine[],
  { fitOf, market, advised, isAlone }: Planning,
): Steps<Plan> {
  const advice = new Map<number, Advice>()
  const listed: FleetMachine[] = []
  let doubt = 1
  for (const machine of machines) {
    yield
    const fit = fitOf(machine)
    if (!fit) continue
    const { margin, ...own } = machine
    const { id, price, host_share } = own
    const inHost = inHostPrices(fit, host_share)
    const key = JSON.stringify([market, own, margin])
    const its = advised.get(key) ?? priceAdvice(own, inHost, margin)
    advised.set(key, its)
    doubt = fit.product.fit.doubt
    advice.set(id, its.answer)
    if (price !== null) listed.push({ id, price, fit: inHost, margin, advice: its.advice })
  }
  if (isAlone) return { advice, doubt, held: new Set(), gains: null, effect: 0 }
  const plan = yield* planFleet(listed)
  for (const { id, price } of listed) {
    const alone = advice.get(id)
    if (alone && plan.held.has(id)) advice.set(id, heldAdvice(alone, price))
  }
  return { advice, doubt, ...plan }
}

const priceOf = exactly(4)

function heldAdvice(alone: Advice, price: number): Advice {
  const nothing = { value: 0, low: 0, high: 0 }
  const words = heldWords(priceOf(alone.price ?? price), alone.gain_per_day)
  return {
    ...alone,
    verdict: 'keep',
    price,
    end_price: price,
    gain_per_day: nothing,
    chance: null,
    wait: alone.wait_now,
    trial: null,
    reason: words,
    evidence: words,
  }
}
