import './costs-page.css'
import { useMemo } from 'preact/hooks'
import { type CostField, type Costs, costFields, costWords } from '../../contract/cost-fields.ts'
import type { OwnMachine } from '../api/queries.ts'
import { Figure } from '../components/figure.tsx'
import { NoData } from '../components/no-data.tsx'
import { outlines } from '../components/outlines.ts'
import { PageHead } from '../components/page-head.tsx'
import { Pager, pageWithin } from '../components/pager.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { Status } from '../components/status.tsx'
import { count, counted, earned, plain, price } from '../format.ts'
import { useFleet, useMachinesOf } from '../machines/use-fleet.ts'
import { useView } from '../view.ts'
import { useCosts } from './api.ts'
import { CostsButton } from './costs-button.tsx'

const rowsOfPage = 100

/** A cost with its unit, as short as a cell needs it. */
const written: Record<CostField, (value: number) => string> = {
  kwh_price: (value) => `${price(value)} per kWh`,
  watts_idle: (value) => `${count(value)} W`,
  watts_load: (value) => `${count(value)} W`,
  fee_percent: (value) => `${plain(value)} %`,
  other_per_month: (value) => `${earned(value)} a month`,
  purchase_price: earned,
  months: (value) => counted(value, 'month'),
}

const isEmpty = (costs: Costs) => costFields.every((field) => costs[field] === null)

/** The costs of all machines, and the lowest price and the net income that follow from them. */
export function CostsPage() {
  const [view, change] = useView()
  const [fleet, costs] = [useFleet(), useCosts()]
  const machines = useMachinesOf(fleet)
  const own = useMemo(() => new Map(costs.data?.machines.map((one) => [one.id, one])), [costs.data])
  const page = pageWithin(view.page, rowsOfPage, machines.length)
  const shown = machines.slice((page - 1) * rowsOfPage, page * rowsOfPage)
  const unlimited = machines.filter(({ figures }) => figures?.costs.minimum_bid === null).length
  const isUnknown = costs.data && isEmpty(costs.data.account) && costs.data.machines.length === 0
  return (
    <main id="content" tabIndex={-1} class="costs-page">
      <PageHead title="Pricing" />
      <Status of={[costs, fleet]} hasData={costs.data !== undefined && fleet.data !== undefined} />
      {!costs.data ? (
        costs.isPending && (
          <section class="card" aria-busy="true" aria-label="Costs of all machines">
            <Skeleton />
          </section>
        )
      ) : isUnknown ? (
        <NoData icon={outlines.coins} title="No costs are entered yet">
          <p>
            The price of power and the marketplace fee give net income and a lowest price; the purchase price
            gives the payback. Only this account sees its costs.
          </p>
          <CostsButton machine={0} look="filled" />
        </NoData>
      ) : (
        <section class="card" aria-labelledby="costs-of-all">
          <header>
            <h2 id="costs-of-all">Costs of all machines</h2>
            <span class="quiet">each machine, unless it has its own</span>
            <span class="end">
              <CostsButton machine={0} label="Change" about="the costs of all machines" />
            </span>
          </header>
          <Account costs={costs.data.account} />
        </section>
      )}
      {machines.length > 0 && costs.data && !isUnknown && (
        <>
          <p class="lead-in">
            {unlimited === 0
              ? `Each of ${counted(machines.length, 'machine')} has a lowest price from its costs.`
              : unlimited === machines.length
                ? `No machine has a lowest price yet: that needs the price of power and the fee.`
                : `${count(machines.length - unlimited)} of ${counted(machines.length, 'machine')} have a lowest price from their costs.`}
          </p>
          <div class="listing cost-rows">
            <table aria-busy={fleet.hasNextPage}>
              <caption class="unseen">Costs of each machine</caption>
              <thead>
                <tr>
                  <th scope="col">Machine</th>
                  <th scope="col" class="need-1">
                    Power
                  </th>
                  <th scope="col" class="need-2">
                    Fee
                  </th>
                  <th scope="col" class="need-3">
                    Other costs
                  </th>
                  <th scope="col" class="need-3">
                    Purchase
                  </th>
                  <th scope="col">Lowest price</th>
                  <th scope="col" class="need-1">
                    Net a day
                  </th>
                  <th scope="col">
                    <span class="unseen">Change</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {shown.map((machine) => (
                  <Row key={machine.id} machine={machine} own={own.get(machine.id)} />
                ))}
              </tbody>
            </table>
          </div>
          <Pager page={page} size={rowsOfPage} of={machines.length} onPage={(to) => change({ page: to })} />
          <p class="note">
            Below the lowest price a rented hour leaves less than an idle one. No price is set below it. Net
            is expected at the present price. Unknown costs are left out.
          </p>
        </>
      )}
    </main>
  )
}

function Account({ costs }: { costs: Costs }) {
  const [known, unknown] = [true, false].map((isKnown) =>
    costFields.filter((field) => (costs[field] !== null) === isKnown),
  ) as [CostField[], CostField[]]
  return (
    <>
      {known.length > 0 && (
        <dl class="figures">
          {known.map((field) => (
            <Figure key={field} title={costWords[field][0]} lead={written[field](costs[field] ?? 0)}>
              {field === 'other_per_month' && 'for each machine'}
            </Figure>
          ))}
        </dl>
      )}
      {unknown.length > 0 && (
        <p class="pad note">
          Not entered: {unknown.map((field) => costWords[field][0].toLowerCase()).join(', ')}.
        </p>
      )}
    </>
  )
}

function Row({ machine, own }: { machine: OwnMachine; own: Costs | undefined }) {
  const { id, gpu_name, num_gpus, figures } = machine
  const { values, assumed = [], minimum_bid = null, floor = null } = figures?.costs ?? {}
  const sourceOf = (...fields: CostField[]) =>
    fields.some((field) => own?.[field] != null)
      ? 'its own'
      : fields.some((field) => assumed.includes(field))
        ? 'assumed'
        : ''
  const cell = (field: CostField) => {
    const value = values?.[field] ?? null
    if (value === null) return <span class="inherited">unknown</span>
    return <span class={own?.[field] == null ? 'inherited' : undefined}>{written[field](value)}</span>
  }
  const watts = [values?.watts_idle, values?.watts_load]
  return (
    <tr>
      <th scope="row">
        <span class="clip" title={gpu_name}>
          {num_gpus}× {gpu_name}
        </span>
        <span class="quiet">{id}</span>
      </th>
      <td class="need-1">
        {cell('kwh_price')}
        <span class="quiet">
          {watts.every((value) => value != null) &&
            `${watts.map((value) => count(value)).join(' to ')} W${sourceOf('watts_idle', 'watts_load') && `, ${sourceOf('watts_idle', 'watts_load')}`}`}
        </span>
      </td>
      <td class="need-2">
        {cell('fee_percent')}
        <span class="quiet">{sourceOf('fee_percent')}</span>
      </td>
      <td class="need-3">
        {cell('other_per_month')}
        <span class="quiet">{sourceOf('other_per_month')}</span>
      </td>
      <td class="need-3">
        {cell('purchase_price')}
        <span class="quiet">
          {values?.purchase_price != null &&
            values.months !== null &&
            `over ${written.months(values.months)}`}
        </span>
      </td>
      <td>
        {minimum_bid === null ? (
          <span class="quiet">unknown</span>
        ) : (
          <>
            <strong>{price(minimum_bid)}</strong>
            <span class="quiet">{floor !== null && `floor ${price(floor)}`}</span>
          </>
        )}
      </td>
      <td class="need-1">
        {figures?.net ? earned(figures.net.value) : <span class="quiet">unknown</span>}
        <span class="quiet">
          {figures?.net && `${earned(figures.net.low)} to ${earned(figures.net.high)}`}
        </span>
      </td>
      <td>
        <CostsButton machine={id} label="Change" about={`the costs of machine ${id}`} />
      </td>
    </tr>
  )
}
