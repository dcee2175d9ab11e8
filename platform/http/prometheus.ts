import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

interface AnsweredRequest {
  method: string
  /** The pattern of the route. */
  route: string
  status: number
  seconds: number
}

/** The metrics of a process. docs/operations.md lists their names. */
export interface Metrics {
  registry: Registry
  /** Adds a request to its counter and its histogram. */
  countRequest: (request: AnsweredRequest) => void
  jobSeconds: Histogram<'queue' | 'outcome' | 'source'>
  capturedObservations: Gauge<'source'>
  loadedSlots: Counter<'source'>
  limitedRequests: Counter<'limit'>
}

/** The label of a source's metrics. Metrics of the first market have no such label. */
export const sourceLabel = (source: string | undefined): { source?: string } => (source ? { source } : {})

/** The metrics of one process, in one registry. */
export function openMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'rackrate_http_requests_total',
    help: 'Requests that were answered, by the status of the answer',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  // Its buckets are most of all time series, so it has no label `status`.
  const requestSeconds = new Histogram({
    name: 'rackrate_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['method', 'route'],
    buckets: [0.0025, 0.01, 0.025, 0.1, 0.25, 1, 5],
    registers,
  })
  const metrics: Metrics = {
    registry,
    countRequest({ method, route, status, seconds }) {
      requests.inc({ method, route, status })
      requestSeconds.observe({ method, route }, seconds)
    },
    jobSeconds: new Histogram({
      name: 'rackrate_job_duration_seconds',
      help: 'Time that a job of a queue took, by how it ended: done or failed',
      labelNames: ['queue', 'outcome', 'source'],
      buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 15, 60, 300],
      registers,
    }),
    capturedObservations: new Gauge({
      name: 'rackrate_captured_observations',
      help: 'Observations in the newest snapshot that this process took',
      labelNames: ['source'],
      registers,
    }),
    loadedSlots: new Counter({
      name: 'rackrate_loaded_slots_total',
      help: 'Slots that this process brought from the spool into ClickHouse, rolled up',
      labelNames: ['source'],
      registers,
    }),
    limitedRequests: new Counter({
      name: 'rackrate_limited_requests_total',
      help: 'Requests that were answered 429, by the limit: account, anonymous, refused, mails or parallel',
      labelNames: ['limit'],
      registers,
    }),
  }
  // These metrics exist before the first snapshot. Labelled ones are added with it.
  metrics.capturedObservations.set(0)
  metrics.loadedSlots.inc(0)
  return metrics
}
