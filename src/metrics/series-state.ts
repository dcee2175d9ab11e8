import { type ClickHouse, selectRows } from '../../platform/stores/clickhouse.ts'
import type { Postgres } from '../../platform/stores/postgres.ts'
import { observedSince } from '../../platform/stores/retention.ts'
import { loadSql } from '../../platform/stores/sql.ts'

/** What the series holds; times in unix seconds, 0 when there is nothing. `revision` changes whenever an answer may. */
export interface SeriesState {
  revision: number
  first_slot: number
  newest_slot: number
  simulated_from: number
  simulated_to: number
  /** From when on the observations themselves are all there. */
  observed_since: number
}

export interface GpuName {
  name: string
  machines: number
  gpus: number
  first_seen: number
  last_seen: number
}

/** A view of the series that all requests share. */
export interface Series {
  state(): Promise<SeriesState>
  names(): Promise<readonly GpuName[]>
}

/** Looks at the series at most once in `maxAgeMs`, however many ask. */
export function watchSeries(postgres: Postgres, clickhouse: ClickHouse, maxAgeMs = 1000): Series {
  let asked = 0
  let state: Promise<SeriesState> | undefined
  let names: { revision: number; list: Promise<GpuName[]> } | undefined

  const ask = async (): Promise<SeriesState> => {
    const [[row], observed_since] = await Promise.all([
      selectRows<Omit<SeriesState, 'observed_since'>>(clickhouse, loadSql('clickhouse/queries/series/state')),
      observedSince(postgres),
    ])
    const empty = { revision: 0, first_slot: 0, newest_slot: 0, simulated_from: 0, simulated_to: 0 }
    return { ...(row ?? empty), observed_since }
  }

  return {
    state() {
      if (!state || performance.now() - asked >= maxAgeMs) {
        asked = performance.now()
        const asking = ask()
        // A failed question isn't remembered: the next request asks again.
        asking.catch(() => {
          if (state === asking) state = undefined
        })
        state = asking
      }
      return state
    },
    async names() {
      const { revision } = await this.state()
      if (names?.revision !== revision) {
        const list = selectRows<GpuName>(clickhouse, loadSql('clickhouse/queries/names/list'))
        list.catch(() => {
          names = undefined
        })
        names = { revision, list }
      }
      return names.list
    },
  }
}
