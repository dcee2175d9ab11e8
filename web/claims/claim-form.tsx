import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Claim, ClaimedIds, ClaimLookup } from '../../contract/claims.ts'
import { Failure } from '../components/failure.tsx'
import { counted, sentence } from '../format.ts'
import { useClaimActions } from './api.ts'
import { KeyForm } from './key-form.tsx'
import { takenWords } from './words.ts'

interface ClaimFormProps {
  /** The source. */
  name: string
  /** null: nothing is claimed yet. */
  claim: Claim | null
  /** True if a key can prove the claim. */
  takesKey: boolean
  onClose: () => void
}

const nothing: ClaimedIds = { hosts: [], machines: [] }

/** Finds machines by an id, shows them before they are claimed, and adds ids to the claim or removes them. */
export function ClaimForm({ name, claim, takesKey, onClose }: ClaimFormProps) {
  const { find, write } = useClaimActions(name)
  const typed = useSignal('')
  const found = useSignal<(ClaimLookup & { id: string }) | undefined>(undefined)
  const said = useSignal('')
  const failure = useSignal('')
  const busy = useSignal(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    // At once: later it would take the focus from a field that is being filled.
    if (claim) heading.current?.focus()
  }, [])
  const claimed: ClaimedIds = claim ?? nothing

  async function run(work: () => Promise<void>): Promise<void> {
    if (busy.value) return
    busy.value = true
    failure.value = ''
    said.value = ''
    await work().catch((error: Error) => {
      failure.value = sentence(error.message)
    })
    busy.value = false
  }
  function search(event: SubmitEvent): void {
    event.preventDefault()
    const id = typed.value.trim()
    run(async () => {
      found.value = undefined
      found.value = { ...(await find(id)), id }
    })
  }
  const save = (ids: ClaimedIds, words: string) =>
    run(async () => {
      await write(ids)
      found.value = undefined
      typed.value = ''
      said.value = words
    })
  const take = (more: Partial<ClaimedIds>) =>
    save(
      {
        hosts: [...claimed.hosts, ...(more.hosts ?? [])],
        machines: [...claimed.machines, ...(more.machines ?? [])],
      },
      'Saved. Their figures go back to the start of recording.',
    )
  const leave = (kind: keyof ClaimedIds, id: number) =>
    save({ ...pick(claimed), [kind]: claimed[kind].filter((one) => one !== id) }, 'Removed.')

  return (
    <>
      <h2 ref={heading} tabIndex={-1}>
        Which machines are yours?
      </h2>
      <p>
        The offers of {name} show the host id and machine id of each machine.{' '}
        {claim?.proven
          ? 'Your key proves that these machines are yours.'
          : 'Claims are not checked: all figures come from public offers.'}
      </p>
      <form class="filters" onSubmit={search}>
        <label>
          Your host id, or the id of a machine
          <input
            value={typed.value}
            inputMode="numeric"
            autocomplete="off"
            required
            maxLength={16}
            pattern="\s*[0-9]+\s*"
            title="A number, as in the offers"
            onInput={({ currentTarget }) => {
              typed.value = currentTarget.value
            }}
          />
        </label>
        <button type="submit" aria-busy={busy.value}>
          Find
        </button>
        {claim && (
          <button type="button" class="secondary outline" onClick={onClose}>
            Close
          </button>
        )}
      </form>
      <Failure text={failure.value} />
      <div class="found" aria-live="polite">
        {found.value && <Results name={name} claimed={claimed} take={take} found={found.value} />}
        {said.value}
      </div>
      <Claimed claimed={claimed} leave={leave} isBusy={busy.value} />
      {takesKey && <KeyForm name={name} claim={claim} />}
    </>
  )
}

const pick = ({ hosts, machines }: ClaimedIds): ClaimedIds => ({ hosts, machines })

interface ResultsProps {
  name: string
  found: ClaimLookup & { id: string }
  claimed: ClaimedIds
  take: (more: Partial<ClaimedIds>) => void
}

/** The machines that an id stands for, and the machines that its claim would add. */
function Results({ name, found: { id, host, machine }, claimed, take }: ResultsProps) {
  return (
    <ul>
      {host && (
        <li>
          Host {host.id}: {takenWords(host)}.{' '}
          <Take
            isTaken={claimed.hosts.includes(host.id)}
            label={`Claim ${host.machines === 1 ? 'it' : `all ${host.machines}`}`}
            onTake={() => take({ hosts: [host.id] })}
          />
        </li>
      )}
      {machine && (
        <li>
          Machine {machine.id}: {counted(machine.num_gpus, 'GPU')}, {machine.gpu_name}.{' '}
          <Take
            isTaken={claimed.machines.includes(machine.id)}
            label="Claim it"
            onTake={() => take({ machines: [machine.id] })}
          />
        </li>
      )}
      {!host && !machine && (
        <li>
          {name} has shown no host or machine {id} in the last 30 days.
        </li>
      )}
    </ul>
  )
}

const Take = ({ isTaken, label, onTake }: { isTaken: boolean; label: string; onTake: () => void }) =>
  isTaken ? (
    <span class="quiet">Already claimed.</span>
  ) : (
    <button type="button" class="small" onClick={onTake}>
      {label}
    </button>
  )

interface ClaimedProps {
  claimed: ClaimedIds
  leave: (kind: keyof ClaimedIds, id: number) => void
  isBusy: boolean
}

/** The claimed ids. Each can be removed. */
const Claimed = ({ claimed, leave, isBusy }: ClaimedProps) => {
  const ids = (['hosts', 'machines'] as const).flatMap((kind) => claimed[kind].map((id) => ({ kind, id })))
  if (ids.length === 0) return null
  return (
    <ul class="claimed" aria-label="Claimed">
      {ids.map(({ kind, id }) => {
        const text = `${kind === 'hosts' ? 'Host' : 'Machine'} ${id}`
        return (
          <li key={text}>
            {text}{' '}
            <button
              type="button"
              class="secondary outline small"
              aria-label={`Remove: ${text.toLowerCase()}`}
              disabled={isBusy}
              onClick={() => leave(kind, id)}
            >
              Remove
            </button>
          </li>
        )
      })}
    </ul>
  )
}
