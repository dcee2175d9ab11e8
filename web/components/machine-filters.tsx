import { hostingChoices, hostingWords } from '../../contract/market-filter.ts'
import { useSizes } from '../api/memory.ts'
import { capitalized } from '../format.ts'
import type { View } from '../view.ts'
import { Select } from './select.tsx'

interface FilterProps {
  view: View
  change: (changes: Partial<View>) => void
}

const rigs = ['1', '2', '3', '4', '5', '6', '7', '8', '10', '12', '14', '16']

/** The filters of machines. */
export function MachineFilters({ view, change }: FilterProps) {
  // A rig size from a link is offered even if it is unusual.
  const sizes = ['all', ...new Set([...rigs, ...(view.num_gpus === 'all' ? [] : [view.num_gpus])])]
  const memory = [...new Set([...useSizes().map(String), view.gpu_memory])].filter((one) => one !== 'all')
  return (
    <>
      <Select
        label="Machines"
        value={view.verified}
        options={[
          ['yes', 'Verified'],
          ['no', 'Unverified'],
          ['all', 'All'],
        ]}
        onChange={(verified) => change({ verified })}
      />
      <Select
        label="Hosting"
        value={view.hosting_type}
        options={hostingChoices.map((type) => [type, capitalized(hostingWords[type] ?? type)] as const)}
        onChange={(hosting_type) => change({ hosting_type })}
      />
      <Select
        label="Rig size"
        value={view.num_gpus}
        options={sizes.map((size) => [size, size === 'all' ? 'All' : `${size}×`] as const)}
        onChange={(num_gpus) => change({ num_gpus })}
      />
      <Select
        label="Memory"
        value={view.gpu_memory}
        options={[['all', 'All'], ...memory.map((size) => [size, `${size} GB`] as const)]}
        onChange={(gpu_memory) => change({ gpu_memory })}
      />
    </>
  )
}
