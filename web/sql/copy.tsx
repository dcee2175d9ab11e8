import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

interface CopyButtonProps {
  label: string
  text: () => string
}

/** Whether it was copied: browsers give the clipboard only to pages that came over HTTPS, or from this machine. */
export const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

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
    said.value = (await copyText(text())) ? 'Copied' : 'The browser refuses'
  }

  return (
    <button type="button" class="small" onClick={copy}>
      <span aria-live="polite">{shown || label}</span>
    </button>
  )
}
