import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { copyText } from './copy-text.ts'

interface CopyButtonProps {
  label: string
  text: () => string
}

/** Copies a text, and shows the success or failure. */
export function CopyButton({ label, text }: CopyButtonProps) {
  const said = useSignal('')
  const shown = said.value
  useEffect(() => {
    const timer = setTimeout(() => {
      said.value = ''
    }, 2000)
    return () => clearTimeout(timer)
  }, [shown])

  async function copy(): Promise<void> {
    said.value = (await copyText(text())) ? 'Copied' : 'Copying is blocked'
  }

  return (
    <button type="button" class="outline small" onClick={copy}>
      <span aria-live="polite">{shown || label}</span>
    </button>
  )
}
