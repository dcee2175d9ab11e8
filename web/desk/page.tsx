import './desk.css'
import type { ApiFailure } from '../api/client.ts'
import { filtersOfClass } from '../api/history.ts'
import { useMachine, useMachineList } from '../api/machines.ts'
import { type GpuName, type OwnMachine, troubleOf, useNames } from '../api/queries.ts'
import { noSnapshots } from '../components/no-snapshots.tsx'
import { Status } from '../components/status.tsx'
import { byGpus, spelled } from '../gpu/gpus.ts'
import { filtersOf, focusOf, useChoice, useView, type View } from '../view.ts'
import { Desk } from './desk.tsx'
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

  const chosen = view.gpus.map((name) => spelled(name, names.data))
  // The books of its GPU name and the rates of its class are asked for before its figures are there.
  const listed = machine ?? list.data?.machines.find(({ id }) => id === view.machine)
  const name = view.machine > 0 ? (listed?.gpu_name ?? '') : focusOf(view, chosen)
  const filters = listed ? filtersOfClass(machine?.figures?.class ?? listed) : filtersOf(view)
  const gpus = machine?.num_gpus ?? (Number(view.num_gpus) || 1)
  const { depth, offer, slot, questions } = useOffer({
    ...{ name, filters, gpus, machine },
    isKnown: view.machine === 0 || machine !== undefined,
  })
  const all = [names, list, mine, ...questions]

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
      <Status
        hasData={offer !== undefined}
        error={(all.map(troubleOf).find(Boolean) ?? null) as ApiFailure | null}
        retry={() => {
          for (const question of all) if (troubleOf(question)) question.refetch()
        }}
      />
      {isForeign ? (
        <p class="no-data" role="status">
          Machine {view.machine} is not one of yours.{' '}
          <button type="button" class="secondary outline" onClick={() => change({ machine: 0, price: '' })}>
            Price another one
          </button>
        </p>
      ) : (
        <Desk key={view.machine} {...{ view, change, name, machine, filters, gpus, depth, offer, slot }} />
      )}
    </main>
  )
}

/** The first own machine that is listed, else the most common GPU name, where neither is chosen. */
function choiceOf(
  { machine, gpus }: View,
  names: readonly GpuName[] | undefined,
  machines: readonly OwnMachine[] | undefined,
): Partial<View> | undefined {
  if (machine > 0 || gpus.length > 0 || !machines) return undefined
  const first = machines.find(({ price }) => price !== null)
  if (first) return { machine: first.id }
  const [usual] = byGpus(names)
  return usual === undefined ? undefined : { gpus: [usual] }
}
