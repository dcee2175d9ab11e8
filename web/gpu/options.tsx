import { lazy, Suspense } from 'preact/compat'
import { Dropdown } from '../components/dropdown.tsx'
import type { OptionsProps } from './options-panel.tsx'
import { parts } from './parts.ts'

const OptionsPanel = lazy(async () => (await parts.options()).OptionsPanel)

/** What is not changed every day: which machines count, and how the figures are shown. */
export function Options({ view, change, answered }: OptionsProps) {
  const filtered = [
    view.verified !== 'yes',
    view.hosting_type !== 'all',
    view.num_gpus !== 'all',
    view.step > 0,
  ]
  const chosen = filtered.filter(Boolean).length
  return (
    <Dropdown label={chosen > 0 ? `More (${chosen})` : 'More'} isChosen={chosen > 0}>
      {() => (
        <Suspense fallback={null}>
          <OptionsPanel view={view} change={change} answered={answered} />
        </Suspense>
      )}
    </Dropdown>
  )
}
