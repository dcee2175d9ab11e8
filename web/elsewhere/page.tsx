import './elsewhere.css'
import type { z } from 'zod'
import type { currentAnswer } from '../../contract/current.ts'
import { cloudNameOf } from '../../contract/gpu-types.ts'
import { filterOf } from '../../contract/market-filter.ts'
import type { ListPrices } from '../api/list-prices.ts'
import { useMarket, useUser } from '../api/queries.ts'
import { MachineFilters } from '../components/machine-filters.tsx'
import { NoData } from '../components/no-data.tsx'
import { outlines } from '../components/outlines.ts'
import { PageHead } from '../components/page-head.tsx'
import { Select } from '../components/select.tsx'
import { Status } from '../components/status.tsx'
import { useView } from '../view.ts'
import { OneComparison, OneGpu } from './one-gpu.tsx'
import { Comparison, Overview, useCloudRows } from './overview.tsx'
import { Unmapped } from './unmapped.tsx'

/** List prices of clouds: the cheapest of every GPU type, or one type by provider and over time. */
export function ElsewherePage() {
  const [view, change] = useView()
  const memory = view.gpu_memory === 'all' ? {} : { gpu_memory: view.gpu_memory }
  const isAdmin = useUser().data?.is_admin ?? false
  const list = useMarket<ListPrices>('list-prices', memory)
  const current = useMarket<z.infer<typeof currentAnswer>>('current', filterOf(view))
  const gpus = current.data?.gpus ?? []
  const inMarket = new Map(gpus.map((gpu) => [cloudNameOf(gpu.gpu_name), gpu]))
  const names = [...new Set([...Object.keys(list.data?.gpus ?? {}), ...inMarket.keys()])].sort()
  const [asked] = view.gpus
  const chosen = asked === undefined || asked === 'all' ? undefined : cloudNameOf(asked)
  const rows = useCloudRows(list.data, gpus, view)
  const isThere = list.data !== undefined && list.data.catalogs.length > 0
  return (
    <main id="content" tabIndex={-1} class="elsewhere">
      <PageHead title="Market" />
      <p class="lede">
        {chosen ? (
          <OneComparison name={chosen} market={inMarket.get(chosen)} prices={list.data} />
        ) : (
          <Comparison rows={rows} />
        )}
      </p>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <Select
          label="GPU"
          value={chosen ?? ''}
          options={[
            ['', 'All types'],
            ...[...new Set([...names, ...(chosen ? [chosen] : [])])].map((name) => [name, name] as const),
          ]}
          onChange={(name) => change({ gpus: name ? [name] : [] })}
        />
        <MachineFilters view={view} change={change} />
      </form>
      <Status of={[list, current]} hasData={list.data !== undefined} />
      {list.data?.catalogs.length === 0 && (
        <NoData
          icon={outlines.database}
          title="No list prices yet"
          {...(isAdmin && { command: 'rackrate worker --catalog gpuhunt' })}
        >
          <p>
            {isAdmin
              ? 'A worker reads the list prices of clouds once it knows a catalog.'
              : 'The operator has not switched on the prices of clouds.'}
          </p>
        </NoData>
      )}
      {list.data &&
        isThere &&
        (chosen ? (
          <OneGpu
            view={view}
            change={change}
            name={chosen}
            market={inMarket.get(chosen)}
            prices={list.data}
          />
        ) : (
          <Overview rows={rows} />
        ))}
      {list.data && isThere && <Unmapped prices={list.data} />}
      {isThere && (
        <p class="note">
          Prices are USD per GPU-hour: of a cloud the lowest list price, a whole instance divided by its GPUs;
          of this market those of the available GPUs, weighted by GPUs. Clouds include processors, memory and
          disk that differ, and a list price says nothing about how many GPUs there are.
        </p>
      )}
    </main>
  )
}
