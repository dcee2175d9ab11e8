import '../today.css'
import { PageHead } from '../../components/page-head.tsx'
import { Health } from './health.tsx'

/** The health of the recording as a page of its own, also for an admin whose first page has own machines. */
export const RecordingPage = () => (
  <main id="content" tabIndex={-1} class="today">
    <PageHead title="Data" />
    <Health />
  </main>
)
