import './desk.css'
import type { QueryClient } from '@tanstack/preact-query'
import { costsOf } from '../../estimates/costs.ts'
import { machineListQuery, machineQuery, useMachine, useMachineList } from '../api/machines.ts'
import { marketQuery, namesQuery, type OwnMachine, useNames } from '../api/queries.ts'
import { noSnapshots } from '../components/no-snapshots.tsx'
import { Status } from '../components/status.tsx'
import { costsQuery, useCosts } from '../costs/api.ts'
import { useChoice, useView, type View } from '../view.ts'
import { Desk } from './desk.tsx'
import { choiceOf, pricedOf, questionsOf } from './questions.ts'
import { SubjectForm } from './subject-form.tsx'
import { useOffer } from './use-offer.ts'

const none: OwnMachine[] = []

/** What to charge: for an own machine, or for a class of machines. */
export function DeskPage() {
  const [asked, change] = useView()
  const names = useNames()
  const list = useMachineList()
  const view = useChoice([asked, change], choiceOf(asked, names.data, list.data?.machines))
  const mine = useMachine(view.machine)
  const machine = view.machine > 0 ? mine.data?.machines[0] : undefined

  // The books of its GPU name and the rates of its class are asked for before its figures are there.
  const listed = machine ?? list.data?.machines.find(({ id }) => id === view.machine)
  const { name, filters, shown } = pricedOf(view, names.data, listed)
  const gpus = machine?.num_gpus ?? (Number(view.num_gpus) || 1)
  const entered = useCosts(view.machine === 0)
  const costs =
    view.machine > 0
      ? machine?.figures?.costs
      : entered.data && costsOf(entered.data.account, undefined, { gpu_name: name, num_gpus: gpus })
  const { depth, offer, slot, questions } = useOffer({ name, filters, shown, gpus, machine, costs })
  const all = [names, list, mine, entered, ...questions]

  if (names.data?.length === 0) return noSnapshots
  const isForeign = view.machine > 0 && mine.data?.machines.length === 0
  return (
    <main id="content" tabIndex={-1} class="desk">
      <h1>Price desk</h1>
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
        <p class="no-data" role="status">
          Machine {view.machine} is not one of yours.{' '}
          <button type="button" class="secondary outline" onClick={() => change({ machine: 0, price: '' })}>
            Price another one
          </button>
        </p>
      ) : (
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
      )}
    </main>
  )
}

/** Asks what the price desk shows first. */
export async function prefetchDesk(client: QueryClient, asked: View): Promise<void> {
  if (asked.machine > 0) client.prefetchQuery(machineQuery(asked.machine))
  const { machines } = await client.fetchQuery(machineListQuery())
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
