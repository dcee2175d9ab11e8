import { Gauge } from 'prom-client'
import type { Clock } from '../clock.ts'
import type { Stores } from '../stores/stores.ts'
import { lagOf, readNewestSlot, readPipeline, readRoom } from './pipeline.ts'
import { type Metrics, sourceLabel } from './prometheus.ts'

interface GaugedMarket extends Stores {
  /** The name of the market's source; undefined: the first market, whose gauges have no label. */
  name?: string
}

interface GaugeOptions {
  metrics: Metrics
  clock: Clock
  /** Seconds between slots. */
  snapshotInterval: number
}

/** Adds the gauges of the pipeline. The result reads them for some markets. A value that cannot be read is left out; the others are reported. */
export function addPipelineGauges({ metrics: { registry }, clock, snapshotInterval }: GaugeOptions) {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['source'], registers: [registry] })
  const newestSlot = gauge(
    'rackrate_newest_slot_timestamp_seconds',
    'The newest slot that answers show, unix seconds',
  )
  gauge('rackrate_snapshot_interval_seconds', 'Time from one slot to the next').set(snapshotInterval)
  const lag = gauge('rackrate_slot_lag_seconds', 'Age of the newest slot that answers show')
  const spooled = gauge(
    'rackrate_spooled_slots',
    'Slots in the spool that are not loaded into ClickHouse yet',
  )
  const pending = gauge('rackrate_pending_rollups', 'Ranges whose roll-up is not finished')
  const filledSince = gauge(
    'rackrate_filled_since_timestamp_seconds',
    'Derived rows before this time (unix seconds) are still to be computed after an upgrade; 0: all are',
  )
  const failures = gauge(
    'rackrate_source_failures',
    'Requests to the source of the market since the last one that gave a market',
  )
  const room = gauge('rackrate_disk_room_bytes', 'Bytes that ClickHouse may write before its reserve begins')
  const broken = gauge('rackrate_broken_parts', 'Broken parts of tables whose rows are to be computed again')
  const lost = gauge('rackrate_lost_ranges', 'Ranges of the series whose rows are lost')

  return async (markets: readonly GaugedMarket[]): Promise<void> => {
    for (const each of [newestSlot, lag, spooled, pending, filledSince, failures, room, broken, lost])
      each.reset()
    const reads = markets.flatMap((market) => {
      const labels = sourceLabel(market.name)
      return [
        readNewestSlot(market).then((slot) => {
          newestSlot.set(labels, slot)
          lag.set(labels, lagOf(slot, clock))
        }),
        readRoom(market).then((disk) => disk && room.set(labels, disk.room)),
        readPipeline(market).then((pipeline) => {
          spooled.set(labels, pipeline.spooled_slots)
          pending.set(labels, pipeline.pending_rollups)
          broken.set(labels, pipeline.broken_parts)
          lost.set(labels, pipeline.lost_ranges)
          filledSince.set(labels, pipeline.filled_since)
          failures.set(labels, pipeline.source?.failures ?? 0)
        }),
      ]
    })
    await Promise.allSettled(reads)
  }
}
