import { useSignal } from '@preact/signals'
import { dialogOnDemand } from '../components/dialog-on-demand.tsx'

// Loaded on demand, since few visits need it.
const CostsDialog = dialogOnDemand(async () => (await import('./costs-dialog.tsx')).CostsDialog)

interface CostsProps {
  /** The machine whose costs the form shows first; 0: all machines. */
  machine: number
  look?: keyof typeof looks
  label?: string
  /** The machines of these costs, for readers of many such buttons. */
  about?: string
}

const looks = { outline: 'secondary outline small costs', link: 'link costs', filled: 'costs' }

/** Opens the form of the costs. */
export function CostsButton({ machine, look = 'outline', label = 'Enter costs', about }: CostsProps) {
  const isOpen = useSignal(false)
  return (
    <>
      <button
        type="button"
        class={looks[look]}
        aria-label={about && `${label} ${about}`}
        onClick={() => {
          isOpen.value = true
        }}
      >
        {label}
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
