import { Dropdown } from '../components/dropdown.tsx'
import { onDemand } from '../components/on-demand.tsx'
import type { OptionsProps } from './options-panel.tsx'
import { parts } from './parts.ts'

const OptionsPanel = onDemand(async () => (await parts.options()).OptionsPanel)

/** The options that are changed less often: the way in which figures are shown. */
export const Options = (props: OptionsProps) => (
  <Dropdown label="More">{() => <OptionsPanel {...props} />}</Dropdown>
)
