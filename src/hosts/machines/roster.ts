import { day } from '../../../contract/durations.ts'
import { floorTo } from '../../../contract/ladder.ts'
import type { MachineClass } from '../../../contract/market-filter.ts'
import { openReadCache } from '../../../platform/read-cache.ts'
import { type ClickHouse, selectRows } from '../../../platform/stores/clickhouse.ts'
import type { SeriesState } from '../../market/market-query/series.ts'

const month = 30 * day

/** The last state of a machine. */
export interface RosterMachine extends MachineClass {
  id: number
  last_slot: number
  /** Its host's number; 0: unknown. */
  host: number
  gpu_name: string
}

/** The machines that a market has shown within 30 days. */
export interface Roster {
  machines: ReadonlyMap<number, RosterMachine>
  /** By host. Machines with an unknown host are left out. */
  ofHost: ReadonlyMap<number, readonly RosterMachine[]>
}

type ReadRoster = (state: SeriesState) => Promise<Roster>

// API and alerts open the roster repeatedly, so it is cached by client. It ends with the client.
const opened = new WeakMap<ClickHouse, ReadRoster>()

/** The machines of a market as of its newest slot. */
export function rosterOf(clickhouse: ClickHouse, state: SeriesState): Promise<Roster> {
  const read = opened.get(clickhouse) ?? openRoster(clickhouse)
  opened.set(clickhouse, read)
  return read(state)
}

/** Reads the days before the newest one once a day, since that takes long. */
function openRoster(clickhouse: ClickHouse): ReadRoster {
  const select = (from: number, to: number) =>
    selectRows<RosterMachine>(clickhouse, 'machines/roster', { from, to })
  const pasts = openReadCache<string, RosterMachine[], number>({
    max: 1,
    fetchMethod: (_key, _stale, { context: today }) => select(Math.max(0, today - month - day), today),
  })
  const rosters = openReadCache<number, Roster, SeriesState>({
    max: 1,
    fetchMethod: async (_key, _stale, { context: { newest_slot: slot, published } }) => {
      const today = Math.max(0, floorTo(day, slot) - 1)
      const [past, since] = await Promise.all([
        // A corrected day takes effect once it is republished.
        pasts.forceFetch(`${today} ${published}`, { context: today }),
        select(today, slot),
      ])
      return rosterFrom([...past.filter(({ last_slot }) => last_slot > slot - month), ...since])
    },
  })
  return (state) => rosters.forceFetch(state.revision, { context: state })
}

function rosterFrom(rows: readonly RosterMachine[]): Roster {
  // The later row of a machine replaces the earlier one.
  const machines = new Map(rows.map((row) => [row.id, row]))
  const ofHost = new Map<number, RosterMachine[]>()
  for (const machine of machines.values()) {
    if (machine.host === 0) continue
    const others = ofHost.get(machine.host)
    if (others) others.push(machine)
    else ofHost.set(machine.host, [machine])
  }
  return { machines, ofHost }
}
