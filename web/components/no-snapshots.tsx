import { Notice } from './notice.tsx'

export const noSnapshots = (
  <Notice title="No snapshots yet">
    No snapshot of the market has been taken so far. Charts appear with the first one, within minutes of a
    worker's start.
  </Notice>
)
