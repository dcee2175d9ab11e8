import { Dropdown } from '../components/dropdown.tsx'
import { onDemand } from '../components/on-demand.tsx'
import type { OptionsProps } from './options-panel.tsx'
import { parts } from './parts.ts'

const OptionsPanel = onDemand(async () => (await parts.options()).OptionsPanel)

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
      {() => <OptionsPanel view={view} change={change} answered={answered} />}
    </Dropdown>
  )
}
