import { useSignal } from '@preact/signals'
import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import type { MachineReplay } from '../../contract/replay.ts'
import { requestJson } from '../api/client.ts'
import { Figure } from '../components/figure.tsx'
import { Fold } from '../components/fold.tsx'
import { Select } from '../components/select.tsx'
import { Status } from '../components/status.tsx'
import { earned, nothing, oneDecimal, percent } from '../format.ts'
import { key } from '../session.ts'

const spans = [
  ['7', '7 days'],
  ['14', '14 days'],
  ['30', '30 days'],
] as const
const rules = [
  ['hold', 'this price'],
  ['follow', 'the 40th percentile of its class'],
  ['drop', 'this price, 5 % less each idle day'],
] as const

type Days = (typeof spans)[number][0]
type Rule = (typeof rules)[number][0]

interface ReplayProps {
  machine: number
  /** The chosen price, after the slider is released. */
  price: number
}

/** The simulated past income of an own machine at the chosen price, beside its actual income. Read when the section is opened. */
export function Replay({ machine, price }: ReplayProps) {
  const wanted = useSignal(false)
  const days = useSignal<Days>('7')
  const rule = useSignal<Rule>('hold')
  const question = {
    days: days.value,
    rule: rule.value,
    ...(rule.value !== 'follow' && { price: `${Number(price.toFixed(9))}` }),
  }
  const query = useQuery({
    // The key begins with `machines`, so the query is repeated after a change of costs.
    queryKey: ['machines', key.value, machine, 'replay', question],
    queryFn: ({ signal }) =>
      requestJson<MachineReplay>(
        `api/v0/metrics/machines/${machine}/replay?${new URLSearchParams(question)}`,
        { signal },
      ),
    enabled: wanted.value,
    placeholderData: keepPreviousData,
  })
  return (
    <Fold
      title="What would it have earned?"
      answer="a replay of the past at this price"
      onOpen={() => {
        wanted.value = true
      }}
    >
      <div class="filters">
        <Select
          label="Rule"
          value={rule.value}
          options={rules}
          onChange={(to) => {
            rule.value = to
          }}
        />
        <Select
          label="Period"
          value={days.value}
          options={spans}
          onChange={(to) => {
            days.value = to
          }}
        />
      </div>
      {wanted.value && (
        <>
          <Status of={[query]} hasData={query.data !== undefined} />
          <Replayed answer={query.data} isStale={query.isPlaceholderData} />
        </>
      )}
    </Fold>
  )
}

type Estimate = NonNullable<MachineReplay['expected']>['earned']

function Replayed({ answer, isStale }: { answer: MachineReplay | undefined; isStale: boolean }) {
  const { expected = null, actual = null } = answer ?? {}
  const range = (estimate: Estimate | null | undefined, write: (value: number) => string) =>
    estimate ? `${write(estimate.low)} to ${write(estimate.high)}` : ''
  const actually = (value: number | null | undefined, write: (value: number) => string) =>
    value == null ? '' : `actual ${write(value)}`
  const days = (value: number) => `${oneDecimal(value)} d`
  const figureOf = (
    title: string,
    one: Estimate | null | undefined,
    was: number | null | undefined,
    write: (value: number) => string,
  ) => (
    <Figure title={title} lead={one ? write(one.value) : nothing}>
      {[range(one, write), actually(was, write)].filter(Boolean).join('; ')}
    </Figure>
  )
  return (
    <div aria-busy={!answer || isStale}>
      <p aria-live="polite">{answer?.reason}</p>
      <dl class="figures">
        {figureOf('Would have earned', expected?.earned, actual?.earned, earned)}
        {figureOf('Net', expected?.net, actual?.net, earned)}
        {figureOf('Worst day', expected?.worst_day, actual?.worst_day, earned)}
        {figureOf('Idle', expected?.idle_days, actual?.idle_days, days)}
        {figureOf('Occupancy', expected?.occupancy, actual?.occupancy, (share) => percent(share))}
      </dl>
      <p class="note">
        Mean of 400 simulations, with the interval that holds 80 % of them. Each hour uses the market prices
        of that hour and the rates known when its day began. Other hosts do not react to your price.
      </p>
    </div>
  )
}
