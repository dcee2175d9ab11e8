import '../today/today.css'
import './renter.css'
import { useSignal } from '@preact/signals'
import { useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { OfferedGpu, OffersAnswer } from '../../contract/offers.ts'
import { pages } from '../../contract/pages.ts'
import { requestJson } from '../api/client.ts'
import type { User } from '../api/queries.ts'
import { present } from '../clock.ts'
import { NoMarket } from '../components/no-market.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { Status } from '../components/status.tsx'
import { count, counted, price, weekday } from '../format.ts'
import { key } from '../session.ts'
import { cheapestOf, typesFor } from './cheapest.ts'
import { Offers } from './offers.tsx'
import { Rented, type RentedInstance, type RentedVolume } from './rented.tsx'

/** The services for an account without machines, each with the first operation of its reference. */
const services = [
  ['Rented instances', 'pageInstances', 'Their GPUs, price and state.'],
  ['Rented volumes', 'listRentedVolumes', 'The storage that you rent.'],
  ['Copies to a cloud', 'listCloudConnections', 'Copy data between an instance and a bucket.'],
  ['Templates', 'listTemplates', 'Images with their settings, to start instances from.'],
  ['SSH keys', 'listSshKeys', 'Keys that may log in to your instances.'],
  ['Scheduled jobs', 'listScheduledJobs', 'Calls of this API at a time, once or again and again.'],
  ['API keys', 'listApiKeys', 'Keys for programs, with the permissions that they need.'],
  ['Two-factor login', 'getTfaStatus', 'A code beside the password.'],
  ['Team', 'listTeams', 'Members, their roles, and invitations.'],
] as const

const openDataWords = {
  public: 'Statistics of each day, as files, for everybody.',
  host: 'Statistics of each day, as files. This site gives them to hosts only.',
}

const refetchMs = 60_000

/** An answer of the API that the key may read. */
const useAnswer = <Answer,>(path: string, enabled: boolean) =>
  useQuery({
    queryKey: [path, key.value],
    queryFn: ({ signal }) => requestJson<Answer>(path, { signal }),
    refetchInterval: refetchMs,
    enabled,
  })

const mostPages = 40

/** All instances of the account. The API gives 25 a page. */
async function allInstances(signal: AbortSignal): Promise<RentedInstance[]> {
  const instances: RentedInstance[] = []
  let path = 'api/v1/instances'
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await requestJson<InstancesPage>(path, { signal })
    instances.push(...answer.instances)
    if (answer.next_token === null) break
    path = `api/v1/instances?${new URLSearchParams({ after_token: answer.next_token })}`
  }
  return instances
}

interface InstancesPage {
  instances: RentedInstance[]
  next_token: string | null
}

/** The first page of an account without machines: what it rents, what is free at which price, and the services that it may use. */
export function RenterPage({ user: { open_data, permissions } }: { user: User }) {
  useEffect(() => {
    document.title = 'Today – rackrate'
  }, [])
  const mayRead = permissions.api.instance_read !== undefined
  const seesOffers = mayRead || permissions.api.machine_read !== undefined
  const offers = useAnswer<OffersAnswer>('api/v0/metrics/gpu/offers', seesOffers)
  const asked = useQuery({
    queryKey: ['instances', key.value],
    queryFn: ({ signal }) => allInstances(signal),
    refetchInterval: refetchMs,
    enabled: mayRead,
  })
  const rented = useAnswer<{ volumes: RentedVolume[] }>('api/v0/volumes', mayRead)
  const instances = asked.data ?? []
  const volumes = rented.data?.volumes ?? []
  const gpus = offers.data?.gpus ?? []
  const open = useSignal('')
  const own = new Set(instances.map(({ gpu_name }) => gpu_name))
  // The types to show depend on the instances.
  const isReady = offers.data !== undefined && !asked.isLoading
  return (
    <main id="content" tabIndex={-1} class="today renter">
      {/* Not a PageHead: this page stands at every address, and has no tabs. */}
      <header class="head">
        <h1>Today</h1>
        <span class="quiet">{weekday(present())}</span>
      </header>
      <Status of={[offers, asked, rented]} hasData={offers.data !== undefined} />
      {seesOffers && !isReady && (
        <section class="card" aria-busy="true">
          <Skeleton />
        </section>
      )}
      {isReady && gpus.length === 0 && <NoMarket />}
      {isReady && gpus.length > 0 && <Sentence instances={instances} gpus={gpus} />}
      {instances.length + volumes.length > 0 && (
        <Rented
          instances={instances}
          volumes={volumes}
          gpus={gpus}
          onSee={(name) => {
            open.value = name
            document.getElementById('offers')?.scrollIntoView()
          }}
        />
      )}
      {isReady && gpus.length > 0 && <Offers gpus={typesFor(gpus, instances)} own={own} open={open} />}
      <h2>Services of the account</h2>
      <ul class="services">
        {services.map(([title, operation, about]) => (
          <Service key={operation} title={title} href={`${pages.docs}?operation=${operation}`}>
            {about}
          </Service>
        ))}
        <Service title="Shared charts">
          A link that a host has shared opens its chart, without a key. It shows figures of the market.
        </Service>
        {open_data && (
          <Service title="Open data" href={open_data === 'public' ? 'data/manifest.json' : undefined}>
            {openDataWords[open_data]}
          </Service>
        )}
      </ul>
      <p class="note">
        Charts, forecasts, alerts and the autopilot are for hosts: accounts that offer machines and price them
        by these figures. The operator of this site can make this account one.
      </p>
    </main>
  )
}

/** The cost of the rented GPUs beside the cheapest free ones, or the number of free GPUs. */
function Sentence({
  instances,
  gpus,
}: {
  instances: readonly RentedInstance[]
  gpus: readonly OfferedGpu[]
}) {
  const paid = instances.reduce((sum, { dph_total }) => sum + dph_total, 0)
  const rented = instances.reduce((sum, { num_gpus }) => sum + num_gpus, 0)
  const cheapest = instances.length > 0 ? cheapestOf(instances, gpus) : null
  const free = gpus.reduce((sum, { free_gpus }) => sum + free_gpus, 0)
  const moved = gpus.filter(({ change_7d, price_thin }) => change_7d !== null && !price_thin)
  const rose = moved.filter(({ change_7d }) => (change_7d ?? 0) > 0).length
  return (
    <section class="card pad">
      <p class="headline">
        {rented > 0
          ? `You rent ${counted(rented, 'GPU')} for ${price(paid)} an hour`
          : `${count(free)} ${free === 1 ? 'GPU is' : 'GPUs are'} free now`}
      </p>
      <p class="quiet">
        {cheapest !== null && `The cheapest free GPUs of the same types cost ${price(cheapest)} an hour. `}
        {rented > 0 && `${count(free)} ${free === 1 ? 'GPU is' : 'GPUs are'} free now. `}
        {moved.length > 0 &&
          `Prices rose for ${count(rose)} of ${counted(moved.length, 'GPU type')} this week.`}
      </p>
    </section>
  )
}

interface ServiceProps {
  title: string
  /** The page of the service; undefined: it has none. */
  href?: string | undefined
  children: ComponentChildren
}

function Service({ title, href, children }: ServiceProps) {
  const isPage = href?.startsWith('/')
  return (
    <li>
      {href === undefined ? (
        <strong>{title}</strong>
      ) : isPage ? (
        <Link href={href}>{title}</Link>
      ) : (
        <a href={href}>{title}</a>
      )}
      <span class="quiet">{children}</span>
    </li>
  )
}
