import './desk.css'
import { type QueryClient, useQuery } from '@tanstack/preact-query'
import { costsOf } from '../../estimates/costs.ts'
import {
  firstMachinesQuery,
  machineListQuery,
  machineQuery,
  useFleetAdvice,
  useMachine,
  useMachineList,
} from '../api/machines.ts'
import { marketQuery, namesQuery, type OwnMachine, useNames } from '../api/queries.ts'
import { PriceReview } from '../autopilot/price-review.tsx'
import { NoData } from '../components/no-data.tsx'
import { NoSnapshots } from '../components/no-snapshots.tsx'
import { outlines } from '../components/outlines.ts'
import { PageHead } from '../components/page-head.tsx'
import { Status } from '../components/status.tsx'
import { costsQuery, useCosts } from '../costs/api.ts'
import { changeOf } from '../machines/choose-prices.tsx'
import { useChoice, useView, type View } from '../view.ts'
import { Desk } from './desk.tsx'
import { Gains } from './gains.tsx'
import { Limits } from './limits.tsx'
import { choiceOf, pricedOf, questionsOf } from './questions.ts'
import { SubjectForm } from './subject-form.tsx'
import { useOffer } from './use-offer.ts'

const none: OwnMachine[] = []

/** The price desk: finds the price for an own machine, or for a class of machines. */
export function DeskPage() {
  const [asked, change] = useView()
  const names = useNames()
  const list = useMachineList()
  const isOpen = asked.machine === 0 && asked.gpus.length === 0
  const first = useQuery(firstMachinesQuery())
  const view = useChoice(
    [asked, change],
    isOpen ? choiceOf(asked, names.data, first.data?.machines) : undefined,
  )
  const mine = useMachine(view.machine)
  const machine = view.machine > 0 ? mine.data?.machines[0] : undefined

  // The books of the GPU name and the rates of the class are requested before the machine's figures have arrived.
  const listed = machine ?? list.data?.machines.find(({ id }) => id === view.machine)
  const { name, filters, shown } = pricedOf(view, names.data, listed)
  const gpus = machine?.num_gpus ?? (Number(view.num_gpus) || 1)
  const entered = useCosts(view.machine === 0)
  const costs =
    view.machine > 0
      ? machine?.figures?.costs
      : entered.data && costsOf(entered.data.account, undefined, { gpu_name: name, num_gpus: gpus })
  const { depth, offer, slot, questions } = useOffer({ name, filters, shown, gpus, machine, costs })
  const all = [names, list, first, mine, entered, ...questions]

  const gaining = first.data?.machines ?? none
  // The first page of machines may lack the largest gains.
  const together = useFleetAdvice(first.data?.next != null)

  if (names.data?.length === 0) return <NoSnapshots title="Pricing" />
  // While machines are read, their list keeps its place.
  const isBesideGains = first.data ? gaining.length > 1 : (list.data?.machines.length ?? 2) > 1
  const changes = gaining.flatMap((one) => changeOf(one) ?? [])
  const isForeign = view.machine > 0 && mine.data?.machines.length === 0
  return (
    <main id="content" tabIndex={-1} class="desk">
      <PageHead title="Pricing">
        {gaining.length > 0 && first.data?.next == null && (
          <Limits
            machines={gaining.length}
            unlimited={gaining.filter(({ figures }) => figures?.costs.minimum_bid === null).length}
          />
        )}
        {changes.length > 1 && first.data?.next == null && (
          <PriceReview changes={changes} label={`Review all ${changes.length} changes`} quiet />
        )}
      </PageHead>
      <SubjectForm
        view={view}
        change={change}
        names={names.data ?? []}
        own={list.data?.machines ?? none}
        name={name}
        machine={machine}
      />
      <Status of={all} hasData={offer !== undefined} />
      {isForeign ? (
        <NoData icon={outlines.server} title={`Machine ${view.machine} is not one of yours`}>
          <button type="button" onClick={() => change({ machine: 0, price: '' })}>
            Price another one
          </button>
        </NoData>
      ) : (
        <div class={isBesideGains ? 'beside-gains' : undefined}>
          {isBesideGains && (
            <Gains
              machines={gaining}
              changes={first.data?.next == null ? undefined : together.data?.changes}
              machine={view.machine}
              zone={view.zone}
            />
          )}
          <div class="parts">
            <Desk
              key={view.machine || name}
              view={view}
              change={change}
              name={name}
              machine={machine}
              filters={filters}
              shown={shown}
              gpus={gpus}
              depth={depth}
              offer={offer}
              slot={slot}
              isListed={mine.data?.income_at === 'listed'}
            />
          </div>
        </div>
      )}
    </main>
  )
}

/** Requests the data that the price desk shows first. */
export async function prefetchDesk(client: QueryClient, asked: View): Promise<void> {
  if (asked.machine > 0) client.prefetchQuery(machineQuery(asked.machine))
  const isOpen = asked.machine === 0 && asked.gpus.length === 0
  const { machines } = await (isOpen
    ? client.fetchQuery(firstMachinesQuery())
    : client.fetchQuery(machineListQuery()))
  const names = await client.fetchQuery(namesQuery())
  const view = { ...asked, ...choiceOf(asked, names, machines) }
  if (view.machine > 0) client.prefetchQuery(machineQuery(view.machine))
  else client.prefetchQuery(costsQuery())
  const listed = machines.find(({ id }) => id === view.machine)
  const priced = pricedOf(view, names, listed)
  if (priced.name === '') return
  const { now, mean, rates } = questionsOf(priced)
  client.prefetchQuery(marketQuery('depth', now))
  client.prefetchQuery(marketQuery('depth', mean))
  client.prefetchQuery(marketQuery('fill', rates))
}
