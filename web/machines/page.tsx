import './machines.css'
import { pages } from '../../contract/pages.ts'
import type { ApiFailure } from '../api/client.ts'
import { historyOf } from '../api/history.ts'
import { troubleOf, useHistory, useMachines } from '../api/queries.ts'
import { MachineFilters } from '../components/machine-filters.tsx'
import { Status } from '../components/status.tsx'
import { filtersOf, useView, writeView } from '../view.ts'
import { MachineRow } from './machine-row.tsx'
import { standingOf } from './standing.ts'

/** The visitor's own machines compared with the market of their types, now. */
export function MachinesPage() {
  const [view, changeView] = useView()
  const filters = filtersOf(view)
  const machines = useMachines(filters)
  const names = [...new Set(machines.data?.map(({ gpu_name }) => gpu_name))]
  const history = useHistory(
    { gpu_name: names.join(), ...filters, start: -2 * 86_400, step: 3600 },
    names.length > 0,
  )

  // Own figures and the market's must be of the same filters.
  const market = history.isStale || machines.isPlaceholderData ? undefined : history.data

  return (
    <main id="content" tabIndex={-1}>
      <h1>My machines in the market</h1>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <MachineFilters view={view} change={changeView} />
      </form>
      <Status
        hasData={machines.data !== undefined}
        error={(troubleOf(machines) ?? troubleOf(history)) as ApiFailure | null}
        retry={() => {
          machines.refetch()
          history.refetch()
        }}
      />
      {machines.data?.length === 0 && <p>This account has no machines.</p>}
      {machines.data && machines.data.length > 0 && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <section class="wide" tabIndex={0} aria-label="Own machines">
            <table aria-busy={history.isStale || machines.isPlaceholderData}>
              <thead>
                <tr>
                  <th scope="col">Machine</th>
                  <th scope="col">GPUs</th>
                  <th scope="col">Your price</th>
                  <th scope="col">In the market</th>
                  <th scope="col">GPUs cheaper than yours</th>
                  <th scope="col">Compared with the median</th>
                  <th scope="col">30 days at market occupancy</th>
                </tr>
              </thead>
              <tbody>
                {machines.data.map((machine) => (
                  <MachineRow
                    key={machine.id}
                    machine={machine}
                    standing={market && standingOf(machine, historyOf(market, machine.gpu_name))}
                    market={`${pages.charts}?${writeView({ ...view, gpus: [machine.gpu_name], layout: 'one' })}`}
                  />
                ))}
              </tbody>
            </table>
          </section>
          <p class="note">
            Prices are USD per GPU-hour. The market is the newest hour of the machines chosen above that have
            the same GPU: the bar reaches from p10 to p90 of what is available. “GPUs cheaper than yours” is
            the share of available and of rented GPUs that cost less. Earnings are price × GPUs × 720 h × the
            market's occupancy: what an average machine would earn, before fees.
          </p>
        </>
      )}
    </main>
  )
}
