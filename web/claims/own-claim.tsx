import './claims.css'
import { useSignal } from '@preact/signals'
import { keyCanDoMore } from '../../contract/claim-words.ts'
import { useSources } from '../api/sources.ts'
import { Status } from '../components/status.tsx'
import { source } from '../source.ts'
import { useClaim } from './api.ts'
import { ClaimForm } from './claim-form.tsx'
import { idWords } from './words.ts'

/** The visitor's claim in the chosen source. The site's own market needs none: it has the owners of machines. */
export function OwnClaim() {
  const { data: sources } = useSources()
  const name = source ?? sources?.[0]?.name
  const shown = sources?.find((one) => one.name === name)
  return shown ? <ClaimOf name={shown.name} takesKey={shown.takes_key} /> : null
}

function ClaimOf({ name, takesKey }: { name: string; takesKey: boolean }) {
  const claim = useClaim(name)
  const isOpen = useSignal(false)
  if (claim.data === undefined) return <Status of={[claim]} hasData={false} />
  const isAsked = isOpen.value || claim.data === null
  return (
    <section class="claim" aria-label="Own machines at the source">
      {claim.data && (
        <p class="quiet">
          You claim the machines of {idWords(claim.data)} at {name}.{' '}
          {claim.data.proven ? 'Your marketplace key proves the claim.' : 'The claim is not proven.'}{' '}
          {claim.data.proof?.problem} Rented GPUs count at the listed price, since what renters pay is not
          visible from outside.{' '}
          {!isAsked && (
            <button
              type="button"
              class="secondary outline small"
              onClick={() => {
                isOpen.value = true
              }}
            >
              Change
            </button>
          )}
        </p>
      )}
      {claim.data?.proof?.can_do_more && <p class="banner">{keyCanDoMore}</p>}
      {isAsked && (
        <ClaimForm
          name={name}
          takesKey={takesKey}
          claim={claim.data}
          onClose={() => {
            isOpen.value = false
          }}
        />
      )}
    </section>
  )
}
