import { hostingChoices, hostingWords, tierOfFilter } from '../../contract/market-filter.ts'
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
  // The history has the tiers of hosts for all hosting types and rig sizes together.
  const ofClass = (changes: Partial<View>): Partial<View> =>
    tierOfFilter(view.verified) ? { ...changes, verified: 'no' } : changes
  return (
    <>
      <Select
        label="Machines"
        value={view.verified}
        options={[
          ['yes', 'Verified'],
          ['no', 'Unverified'],
          ['all', 'All'],
          ['deverified', 'Deverified'],
          ['unverified', 'Not yet verified'],
        ]}
        onChange={(verified) =>
          change(tierOfFilter(verified) ? { verified, hosting_type: 'all', num_gpus: 'all' } : { verified })
        }
      />
      <Select
        label="Hosting"
        value={view.hosting_type}
        options={hostingChoices.map((type) => [type, capitalized(hostingWords[type] ?? type)] as const)}
        onChange={(hosting_type) => change(ofClass({ hosting_type }))}
      />
      <Select
        label="Rig size"
        value={view.num_gpus}
        options={sizes.map((size) => [size, size === 'all' ? 'All' : `${size}×`] as const)}
        onChange={(num_gpus) => change(ofClass({ num_gpus }))}
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
