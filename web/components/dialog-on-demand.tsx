import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { onDemand } from './on-demand.tsx'

interface DialogProps {
  onClose: () => void
}

/** A dialog that is loaded when it is opened. If it cannot be loaded, another one reports that, and the page below stays with all that is typed there. */
export const dialogOnDemand = <Props extends DialogProps>(load: () => Promise<ComponentType<Props>>) =>
  onDemand(load, null, Missing)

function Missing({ onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-labelledby="missing" onClose={onClose}>
      <article>
        <h2 id="missing">This part cannot be loaded</h2>
        <p class="actions">
          <button type="button" onClick={() => location.reload()}>
            Reload
          </button>
          <button type="button" class="outline" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </p>
      </article>
    </dialog>
  )
}
