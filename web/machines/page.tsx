import './machines.css'
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { useFleetAdvice } from '../api/machines.ts'
import type { OwnMachine } from '../api/queries.ts'
import { OwnClaim } from '../claims/own-claim.tsx'
import { Buttons } from '../components/buttons.tsx'
import { Icon } from '../components/icon.tsx'
import { NoData } from '../components/no-data.tsx'
import { onDemand } from '../components/on-demand.tsx'
import { outlines } from '../components/outlines.ts'
import { PageHead } from '../components/page-head.tsx'
import { Pager, pageWithin } from '../components/pager.tsx'
import { Select } from '../components/select.tsx'
import { Status } from '../components/status.tsx'
import { CostsButton } from '../costs/costs-button.tsx'
import { attentionBasis } from '../desk/words.ts'
import { save } from '../files.ts'
import { count, counted } from '../format.ts'
import { useView, type View } from '../view.ts'
import { basisOf } from './attention.ts'
import { ChoosePrices } from './choose-prices.tsx'
import { columns, sortedRows, sortOf } from './columns.ts'
import { machinesFound, rowsOf } from './fleet.ts'
import { fleetCsv } from './fleet-csv.ts'
import { FleetTable } from './fleet-table.tsx'
import { Sums } from './sums.tsx'
import { useBands } from './use-bands.ts'
import { useFleet, useMachinesOf } from './use-fleet.ts'

const AdviceRecord = onDemand(async () => (await import('./advice-record.tsx')).AdviceRecord)

const FleetAdvice = onDemand(async () => (await import('../terms/fleet-advice.tsx')).FleetAdvice)

const rowsOfPage = 50

const gpusOf = (machines: readonly OwnMachine[]): number =>
  machines.reduce((sum, { num_gpus }) => sum + num_gpus, 0)

/** The page of the visitor's own machines: their earnings, and the advice on their prices. */
export function MachinesPage() {
  const [view, changeView] = useView()
  const fleet = useFleet()
  const machines = useMachinesOf(fleet)
  const slot = fleet.data?.pages[0]?.slot ?? 0
  const together = useFleetAdvice(machines.length > 0 && !fleet.hasNextPage).data
  const isListed = fleet.data?.pages[0]?.income_at === 'listed'
  const { find, show } = view
  const look = useMemo(() => ({ slot, basis: basisOf(machines) }), [machines, slot])
  const found = useMemo(() => machinesFound(machines, { find, show }, look), [machines, find, show, look])
  const rows = useMemo(
    () => sortedRows(rowsOf(found, view.rows, look), view.sort),
    [found, view.rows, view.sort, look],
  )
  const page = pageWithin(view.page, rowsOfPage, rows.length)
  const shown = rows.slice((page - 1) * rowsOfPage, page * rowsOfPage)
  const bandOf = useBands(shown)
  const hasNone = fleet.data !== undefined && machines.length === 0
  const isUnread = fleet.data === undefined && !fleet.isPending
  const hasNet = rows.some(({ net }) => net !== null)
  const chosen = useSignal<ReadonlySet<number>>(new Set())
  const change = (changes: Partial<View>) =>
    // Letters of a search are no steps on the way back.
    changeView({ page: 1, ...changes }, { replace: changes.find !== undefined })
  function turnTo(page: number): void {
    change({ page })
    document.querySelector('.fleet')?.scrollIntoView()
  }

  return (
    <main id="content" tabIndex={-1}>
      <PageHead
        title="Machines"
        facts={
          fleet.data &&
          machines.length > 0 &&
          `${count(machines.filter(({ online }) => online).length)} online, ${counted(gpusOf(machines), 'GPU')}`
        }
      >
        {found.length > 0 && !fleet.hasNextPage && (
          <button
            type="button"
            class="outline"
            onClick={() => {
              const file = fleetCsv(found, together?.gain_per_day ?? null)
              save('rackrate-machines.csv', new Blob([file], { type: 'text/csv' }))
            }}
          >
            <Icon outline={outlines.download} />
            CSV
          </button>
        )}
      </PageHead>
      <OwnClaim />
      {!hasNone && !isUnread && (
        <Sums look={look} isListed={isListed} machines={found} waiting={fleet.isPending} />
      )}
      {!hasNone && (
        <FleetFilters view={view} change={change}>
          {fleet.data &&
            (fleet.hasNextPage
              ? `Reading: ${count(machines.length)} machines so far`
              : found.length < machines.length
                ? `${count(found.length)} of ${count(machines.length)} machines`
                : !hasNet && machines.length > 0
                  ? 'Net a day needs your costs'
                  : '')}
        </FleetFilters>
      )}
      <Status of={[fleet]} hasData={fleet.data !== undefined} />
      {hasNone ? (
        <NoData
          icon={outlines.server}
          title={isListed ? 'You have no machines in this market yet' : 'This account has no machines'}
        >
          <p>Price, occupancy and income of a machine appear here once it is listed.</p>
        </NoData>
      ) : machines.length > 0 && found.length === 0 ? null : (
        <FleetTable
          view={view}
          bandOf={bandOf}
          slot={slot}
          chosen={chosen}
          rows={shown}
          busy={fleet.isPending}
          onSort={(sort) => change({ sort })}
        />
      )}
      <ChoosePrices machines={found} chosen={chosen} together={together} />
      {machines.length > 0 && found.length === 0 && (
        <NoData icon={outlines.search} title="No machine matches">
          <button type="button" onClick={() => change({ find: '', show: 'all' })}>
            Show all
          </button>
        </NoData>
      )}
      <Pager page={page} size={rowsOfPage} of={rows.length} onPage={turnTo} />
      {machines.length > 0 && <FleetAdvice />}
      {machines.length > 0 && <AdviceRecord />}
      {!hasNone && (
        <p class="note">
          Prices are USD per GPU-hour. A bar spans p10 to p90 of available prices on machines of exactly the
          same class, with their median; thin: from fewer than 5 machines or 3 hosts. The largest daily loss
          comes first, {attentionBasis[look.basis]}.
        </p>
      )}
    </main>
  )
}

interface FleetFiltersProps {
  view: View
  change: (changes: Partial<View>) => void
  children: string | undefined
}

/** The filters and the options of the table. */
const FleetFilters = ({ view, change, children }: FleetFiltersProps) => (
  <form class="filters one-row" onSubmit={(event) => event.preventDefault()}>
    <input
      type="search"
      class="find"
      placeholder="GPU type or number"
      aria-label="GPU type or number"
      maxLength={64}
      value={view.find}
      onInput={({ currentTarget }) => change({ find: currentTarget.value })}
    />
    <Select
      label="Show"
      value={view.show}
      options={[
        ['all', 'All'],
        ['attention', 'Needs attention'],
        ['offline', 'Offline'],
        ['idle', 'Idle'],
        ['dear', 'Overpriced'],
        ['cheap', 'Underpriced'],
        ['rented', 'Rented'],
        ['unlisted', 'Not listed'],
      ]}
      onChange={(show) => change({ show })}
    />
    <Buttons
      label="Rows"
      value={view.rows}
      options={[
        ['machines', 'Machines'],
        ['classes', 'Classes'],
      ]}
      onChange={(rows) => change({ rows })}
    />
    <div class="phone-only">
      <Select
        label="Sorted by"
        value={sortOf(view.sort)}
        options={columns.map(
          ({ name, title, fromLowest }) => [fromLowest ? name : `-${name}`, title] as const,
        )}
        onChange={(sort) => change({ sort })}
      />
    </div>
    <output class="quiet found">{children}</output>
    <CostsButton machine={0} />
  </form>
)
