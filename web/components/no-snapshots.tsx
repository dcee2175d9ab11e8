import { Notice } from './notice.tsx'

export const noSnapshots = (
  <Notice title="No market is recorded yet">
    Charts appear after one snapshot with machines, within minutes of a worker’s start.
  </Notice>
)
