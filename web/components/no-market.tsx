import { useUser } from '../api/queries.ts'
import { NoData } from './no-data.tsx'
import { outlines } from './outlines.ts'

/** The command that records a market, for admins. */
const recordCommand = 'npm start -- --source vast=https://market.example'

/** The state of a site whose market has no machines yet, with the next step. */
export function NoMarket() {
  const isAdmin = useUser().data?.is_admin ?? false
  return (
    <NoData
      icon={outlines.database}
      title="No market is recorded yet"
      {...(isAdmin && { command: recordCommand })}
    >
      <p>The first prices come after one snapshot with machines, within minutes of a worker’s start.</p>
    </NoData>
  )
}
