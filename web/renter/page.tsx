import './renter.css'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { pages } from '../../contract/pages.ts'
import type { User } from '../api/queries.ts'

/** The services for an account without machines, each with the first operation of its reference. */
const services = [
  ['Rented instances', 'pageInstances', 'What you rent, and its state.'],
  ['Rented volumes', 'listRentedVolumes', 'The storage that you rent.'],
  ['Copies to a cloud', 'listCloudConnections', 'Copy data between an instance and a bucket.'],
  ['Templates', 'listTemplates', 'Images with their settings, to start instances from.'],
  ['SSH keys', 'listSshKeys', 'Who may log in to your instances.'],
  ['Scheduled jobs', 'listScheduledJobs', 'Calls of this API at a time, once or again and again.'],
  ['API keys', 'listApiKeys', 'Keys for programs, with the permissions that they need.'],
  ['Two-factor login', 'getTfaStatus', 'A code beside the password.'],
  ['Team', 'listTeams', 'Members, their roles, and invitations.'],
] as const

const openDataWords = {
  public: 'Statistics of each day, as files, for everybody.',
  host: 'Statistics of each day, as files. This site gives them to hosts only.',
}

/** The page of an account without machines: the services that it may use, and the reason why other pages are closed to it. */
export function RenterPage({ user: { username, open_data } }: { user: User }) {
  useEffect(() => {
    document.title = 'Account – rackrate'
  }, [])
  return (
    <main id="content" tabIndex={-1} class="renter">
      <h1>What you can use here</h1>
      <p>
        The account <strong dir="auto">{username}</strong> offers no machines. All that is open to it is on
        this page. Calls are made with your API key; the reference tries them from here.
      </p>
      <h2>Your account</h2>
      <ul class="services">
        {services.map(([title, operation, about]) => (
          <Service key={operation} title={title} href={`${pages.docs}?operation=${operation}`}>
            {about}
          </Service>
        ))}
      </ul>
      <h2>The market</h2>
      <ul class="services">
        <Service title="Shared charts">
          A link that a host has shared opens its chart, without a key. It shows figures of the market.
        </Service>
        {open_data && (
          <Service title="Open data" href={open_data === 'public' ? 'data/manifest.json' : undefined}>
            {openDataWords[open_data]}
          </Service>
        )}
      </ul>
      <h2>Why the rest is closed</h2>
      <p>
        Market, charts, prices of clouds, alerts and the autopilot are for hosts: accounts that offer machines
        and price them by these figures. The operator of this site can make this account one.
      </p>
    </main>
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
