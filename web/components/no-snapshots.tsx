import { onDemand } from './on-demand.tsx'
import { PageHead } from './page-head.tsx'

const NoMarket = onDemand(async () => (await import('./no-market.tsx')).NoMarket)

/** A page of a site whose market has no machines yet. */
export const NoSnapshots = ({ title }: { title: string }) => (
  <main id="content" tabIndex={-1}>
    <PageHead title={title} />
    <section class="card">
      <NoMarket />
    </section>
  </main>
)
