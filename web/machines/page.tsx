import './machines.css'
import { Link } from 'wouter-preact'
import { pages } from '../../contract/pages.ts'
import type { ApiFailure } from '../api/client.ts'
import { historyOf } from '../api/history.ts'
import { type OwnMachine, troubleOf, useHistory, useMachines } from '../api/queries.ts'
import { MachineFilters } from '../components/machine-filters.tsx'
import { Status } from '../components/status.tsx'
import { change, dollars, percent, price } from '../format.ts'
import { filtersOf, useView, writeView } from '../view.ts'
import { PriceScale } from './price-scale.tsx'
import { type Standing, standingOf } from './standing.ts'

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
        history={history.data}
        zone={view.zone}
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
                    standing={standingOf(machine, market && historyOf(market, machine.gpu_name))}
                    market={`${pages.market}?${writeView({ ...view, gpus: [machine.gpu_name], layout: 'one' })}`}
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

function MachineRow({
  machine,
  standing,
  market,
}: {
  machine: OwnMachine
  standing: Standing
  market: string
}) {
  const { overLow, overHigh } = standing
  return (
    <tr>
      <th scope="row">
        {machine.id}
        <br />
        <span class="quiet">
          {machine.online ? 'online' : 'offline'}, {machine.verified ? 'verified' : 'unverified'}
        </span>
      </th>
      <td>
        {machine.num_gpus}× <Link href={market}>{machine.gpu_name}</Link>
        <br />
        <span class="quiet">
          {machine.rented_gpus} rented{machine.rented_price !== null && ` at ${price(machine.rented_price)}`}
        </span>
      </td>
      <td>{machine.price === null ? 'not listed' : price(machine.price)}</td>
      <td>
        <PriceScale price={machine.price} standing={standing} />
      </td>
      <td>
        {percent(machine.avail_percentile)} <span class="quiet">available</span>
        <br />
        {percent(machine.rented_percentile)} <span class="quiet">rented</span>
      </td>
      <td>
        {change(standing.overMedian)}
        <br />
        <span class="quiet">
          {overHigh !== null && overHigh > 0 && `${percent(overHigh)} above p90`}
          {overLow !== null && overLow < 0 && `${percent(-overLow)} below p10`}
        </span>
      </td>
      <td>
        {dollars(standing.medianEarns)} <span class="quiet">at the rented median</span>
        <br />
        {dollars(standing.priceEarns)}{' '}
        <span class="quiet">at your price ({percent(standing.occupancy)})</span>
      </td>
    </tr>
  )
}
