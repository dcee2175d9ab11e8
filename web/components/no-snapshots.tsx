import { Notice } from './notice.tsx'

export const noSnapshots = (
  <Notice title="No snapshots yet">
    No market snapshot has been taken yet. Charts appear with the first one, within minutes of a worker's
    start.
  </Notice>
)
