import './history.css'
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { AutopilotDecision } from '../../contract/autopilot-decisions.ts'
import { day } from '../../contract/durations.ts'
import { pages } from '../../contract/pages.ts'
import type { OwnMachine } from '../api/queries.ts'
import { Buttons } from '../components/buttons.tsx'
import { NoData } from '../components/no-data.tsx'
import { outlines } from '../components/outlines.ts'
import { PageHead } from '../components/page-head.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { Status } from '../components/status.tsx'
import { deskOfMachine } from '../desk/address.ts'
import { change, counted, dateTime, earned } from '../format.ts'
import { useFleet, useMachinesOf } from '../machines/use-fleet.ts'
import { useActions, useLedger, useRules } from './api.ts'
import { decisionWords, priceWords } from './words.ts'

type Kind = 'set' | 'all'

/** The decisions that changed a price, or are about to. */
const isSet = ({ kind, state }: AutopilotDecision) => kind !== 'refusal' && state !== 'noted'

const machineOf = ({ source, machine_id }: AutopilotDecision) => `${source ?? ''} ${machine_id}`

/** The prices that were set, by hand or by a rule, with their results; and the decisions against a change. */
export function HistoryPage() {
  const [ledger, rules, fleet] = [useLedger(), useRules(), useFleet()]
  const { undo } = useActions()
  const said = useSignal('')
  const chosen = useSignal<Kind>('set')
  const decisions = useMemo(() => ledger.data?.pages.flatMap((page) => page.decisions) ?? [], [ledger.data])
  const own = useMachinesOf(fleet)
  const machines = useMemo(() => new Map(own.map((one) => [one.id, one])), [own])
  const names = new Map(rules.data?.rules.map(({ id, name }) => [id, name]))
  const last = lastOf(decisions)
  const set = decisions.filter(isSet)
  const shown = chosen.value === 'set' ? set : decisions
  const undoOne = (id: string) =>
    undo(id).then(
      ({ decision }) => {
        said.value = `${decisionWords(decision)}. ${decision.reason}`
      },
      (error: Error) => {
        said.value = error.message
      },
    )
  return (
    <main id="content" tabIndex={-1} class="history">
      <PageHead title="Pricing" />
      <Status of={[ledger, rules]} hasData={ledger.data !== undefined} />
      <output aria-live="polite">{said.value}</output>
      {decisions.length > 0 && (
        <div class="filters">
          <Buttons
            label="Decisions"
            value={chosen.value}
            options={[
              ['set', 'Prices set'],
              ['all', 'All decisions'],
            ]}
            onChange={(to) => {
              chosen.value = to
            }}
          />
          <span class="quiet found">
            {counted(set.length, 'price')} set{ledger.hasNextPage && ' in the newest decisions'}
          </span>
        </div>
      )}
      {ledger.isPending ? (
        <section class="card" aria-busy="true" aria-label="History">
          <Skeleton />
        </section>
      ) : shown.length === 0 ? (
        ledger.data && (
          <NoData icon={outlines.clock} title="No price was set yet">
            <p>A price that you or a rule set appears here, with its reason, its result and an undo.</p>
            <Link href={pages.price} role="button">
              See the better prices
            </Link>
          </NoData>
        )
      ) : (
        <div class="listing decisions">
          <table>
            <caption class="unseen">Decisions on prices, the newest first</caption>
            <thead>
              <tr>
                <th scope="col">Machine</th>
                <th scope="col" class="text need-1">
                  When
                </th>
                <th scope="col" class="text need-1">
                  By
                </th>
                <th scope="col">Price</th>
                <th scope="col" class="text need-2">
                  Result
                </th>
                <th scope="col">
                  <span class="unseen">Undo</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((one) => (
                <Row
                  key={one.id}
                  decision={one}
                  by={byOf(one, names)}
                  machine={machines.get(one.machine_id)}
                  onUndo={last.get(machineOf(one)) === one.id ? () => undoOne(one.id) : undefined}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {ledger.hasNextPage && (
        <p>
          <button
            type="button"
            class="outline"
            aria-busy={ledger.isFetchingNextPage}
            onClick={() => ledger.fetchNextPage()}
          >
            Show older ones
          </button>
        </p>
      )}
      {shown.length > 0 && (
        <p class="note">
          Only the last price of a machine can be undone. Prices set at the marketplace itself are in the
          price history of each machine. Prices are kept for a year, other decisions for 30 days.
        </p>
      )}
    </main>
  )
}

/** The last price that was set, of each machine. */
function lastOf(decisions: readonly AutopilotDecision[]): Map<string, string> {
  const last = new Map<string, string>()
  for (const one of decisions)
    if (one.state === 'read_back' && !last.has(machineOf(one))) last.set(machineOf(one), one.id)
  return last
}

/** The person or the rule that decided. */
function byOf({ kind, rule_id, adapter }: AutopilotDecision, names: ReadonlyMap<number, string>): string {
  if (kind === 'hand') return 'By hand'
  if (kind === 'undo') return 'Undo'
  if (rule_id === null) return kind === 'change' || adapter !== null ? 'A deleted rule' : 'By hand'
  return names.get(rule_id) ?? 'A deleted rule'
}

interface RowProps {
  decision: AutopilotDecision
  by: string
  machine: OwnMachine | undefined
  /** undefined: it cannot be undone. */
  onUndo: (() => void) | undefined
}

function Row({ decision, by, machine, onUndo }: RowProps) {
  const { machine_id, gpu_name, created_at, old_price, new_price, reason, answer } = decision
  const result = onUndo && machine && resultOf(decision, machine)
  return (
    <tr>
      <th scope="row">
        <Link class="clip" title={gpu_name} href={deskOfMachine(machine_id, 'local')}>
          {machine && `${machine.num_gpus}× `}
          {gpu_name}
        </Link>
        <span class="quiet">{machine_id}</span>
        <span class="quiet phone-only">{dateTime(created_at)}</span>
      </th>
      <td class="text need-1">
        <time dateTime={new Date(created_at * 1000).toISOString()}>{dateTime(created_at)}</time>
        <span class="quiet">{decisionWords(decision)}</span>
      </td>
      <td class="text need-1">
        <span class="clip" title={by}>
          {by}
        </span>
      </td>
      <td>
        {new_price === null ? (
          <span class="quiet">{priceWords(old_price)} kept</span>
        ) : (
          <>
            <s>
              <span class="unseen">from </span>
              {priceWords(old_price)}
            </s>{' '}
            <span class="unseen">to </span>
            <strong>{priceWords(new_price)}</strong>
            <span class="quiet">{old_price && change(new_price / old_price - 1)}</span>
          </>
        )}
      </td>
      <td class="text need-2">
        {result && <span>{result}</span>}
        <span class="quiet">{[reason, answer && `${answer}.`].filter(Boolean).join(' ')}</span>
      </td>
      <td>
        {onUndo && (
          <button
            type="button"
            class="secondary outline small"
            aria-label={`Undo: machine ${machine_id}`}
            onClick={onUndo}
          >
            Undo
          </button>
        )}
      </td>
    </tr>
  )
}

/** The earnings at the price since it was set, beside the expected ones; undefined: not known. */
function resultOf(
  { done_at, new_price }: AutopilotDecision,
  { price, figures }: OwnMachine,
): string | undefined {
  const since = figures?.since_change
  if (!since || done_at === null || price !== new_price || Math.abs(since.since - done_at) > day)
    return undefined
  const { expected } = since
  return `${earned(since.earned)} earned since${expected ? `, ${earned(expected.value)} expected` : ''}`
}
