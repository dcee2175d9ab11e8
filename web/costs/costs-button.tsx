import { useSignal } from '@preact/signals'
import { dialogOnDemand } from '../components/dialog-on-demand.tsx'

// Loaded on demand, since few visits need it.
const CostsDialog = dialogOnDemand(async () => (await import('./costs-dialog.tsx')).CostsDialog)

interface CostsProps {
  /** The machine whose costs the form shows first; 0: all machines. */
  machine: number
  look?: 'outline' | 'link'
}

/** Opens the form of the costs. */
export function CostsButton({ machine, look = 'outline' }: CostsProps) {
  const isOpen = useSignal(false)
  return (
    <>
      <button
        type="button"
        class={look === 'link' ? 'link costs' : 'secondary outline small costs'}
        onClick={() => {
          isOpen.value = true
        }}
      >
        Enter costs
      </button>
      {isOpen.value && (
        <CostsDialog
          machine={machine}
          onClose={() => {
            isOpen.value = false
          }}
        />
      )}
    </>
  )
}
