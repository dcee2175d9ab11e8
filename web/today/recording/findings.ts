import { day } from '../../../contract/durations.ts'
import type { MarketRecording, RecordingAnswer } from '../../../contract/recording.ts'
import { count, counted, duration, oneDecimal, sentence } from '../../format.ts'
import { bytes } from '../../sizes.ts'
import { moment } from './moments.ts'
import { type Finding, findingsOfQueues } from './queue-findings.ts'

/** Intervals that the newest snapshot may be old, as in /readyz. */
const patience = 3
/** Snapshots wait for a moment until they are loaded. */
const usuallyWaiting = 2
const littleRoom = 2e9
/** A backup must not be older than the snapshots that PostgreSQL keeps (`SPOOL_RETENTION`). */
const backupEvery = 2 * day

/** All states, the worst first. */
export function findingsOf({ at, markets, queues, queue_store }: RecordingAnswer): Finding[] {
  const several = markets.length > 1
  const found = [
    ...markets.flatMap((market) => {
      const name = several ? market.name : null
      return findingsOfMarket(market, at).map((one) =>
        name === null ? one : { ...one, title: `${name}: ${uncapitalized(one.title)}` },
      )
    }),
    ...findingsOfQueues(queues, queue_store, at),
  ]
  const order = ['bad', 'warn', '', 'good']
  return found.sort((one, other) => order.indexOf(one.tone) - order.indexOf(other.tone))
}

/** A title within a line. Names such as ClickHouse keep their capital. */
const uncapitalized = (title: string): string =>
  /^[A-Z][a-z]*\b/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title

function findingsOfMarket(market: MarketRecording, at: number): Finding[] {
  const { away, pipeline, series } = market
  return [
    ...away.map(
      (store): Finding => ({
        tone: 'bad',
        title: `${store === 'clickhouse' ? 'ClickHouse' : 'PostgreSQL'} does not answer`,
        why:
          store === 'clickhouse'
            ? 'Snapshots wait in PostgreSQL, and charts stand still. Start it, or look into its log.'
            : 'No snapshot is taken. Start it, or look into its log.',
      }),
    ),
    ...sourceOf(market, at),
    ...(pipeline ? waitingOf(pipeline) : []),
    ...(pipeline ? derivedOf(pipeline, at) : []),
    ...gapsOf(market),
    ...checkedOf(market),
    ...diskOf(market),
    ...(series?.is_simulated ? [] : backupOf(market, at)),
  ]
}

/** The failures of a source, and snapshots that do not come. */
function sourceOf({ is_collected, series, pipeline, recorded }: MarketRecording, at: number): Finding[] {
  const newest = series?.newest_slot ?? null
  const source = pipeline?.source
  if (!is_collected) return []
  if (source && source.problem !== null)
    return [
      {
        tone: source.failures > 1 ? 'bad' : 'warn',
        title: `The source gives no market${newest === null ? '' : ` since ${moment(newest)}`}`,
        why: `${counted(source.failures, 'request')} failed. ${sentence(source.problem)}`,
        command: 'rackrate collect',
      },
    ]
  if (newest !== null && recorded && at - newest > patience * recorded.interval)
    return [
      {
        tone: 'bad',
        title: `No snapshot since ${moment(newest)}`,
        why: `For ${duration(at - newest)} no worker runs, or it cannot take snapshots.`,
        command: 'rackrate worker',
      },
    ]
  return source?.notice ? [{ tone: 'warn', title: 'Part of the market is not seen', why: source.notice }] : []
}

function waitingOf({ waiting_snapshots: waiting }: NonNullable<MarketRecording['pipeline']>): Finding[] {
  if (waiting <= usuallyWaiting) return []
  return [
    {
      tone: 'warn',
      title: `${counted(waiting, 'snapshot')} wait for ClickHouse`,
      why: 'Nothing is lost: they are loaded in order as soon as it takes them.',
      isOfQueues: true,
    },
  ]
}

/** Roll-ups, backfills and damages. */
function derivedOf(
  { pending_rollups, filled_since, damages }: NonNullable<MarketRecording['pipeline']>,
  at: number,
): Finding[] {
  const open = damages.filter(({ mended }) => !mended)
  const mended = damages.length - open.length
  return [
    ...open.map(({ problem }): Finding => {
      const [, command] = /`(rackrate [^`]+)`/.exec(problem) ?? []
      return {
        tone: 'bad',
        title: 'Stored figures are damaged',
        why: problem.replaceAll('`', ''),
        ...(command && { command }),
      }
    }),
    filled_since > 0
      ? {
          tone: '',
          title: 'Figures of the past are still computed after an upgrade',
          why:
            filled_since > at
              ? 'The whole past is to come.'
              : `Those before ${moment(filled_since)} are to come.`,
        }
      : pending_rollups > usuallyWaiting
        ? {
            tone: 'warn',
            title: `${counted(pending_rollups, 'range')} of derived figures ${pending_rollups === 1 ? 'is' : 'are'} behind`,
            why: 'A worker repeats them. Its log has the reason.',
            isOfQueues: true,
          }
        : {
            tone: 'good',
            title: 'Derived figures are up to date',
            why:
              mended > 0
                ? `${counted(mended, 'damage')} found and mended in the last day.`
                : 'No damage was found.',
          },
  ]
}

const gapWords = {
  not_loaded: ['not in ClickHouse', 'PostgreSQL still has them.'],
  lost: ['in neither store', 'Restore a backup, or accept the gap with this command.'],
} as const

/** Snapshots that a command brings back, or writes off. */
function gapsOf({ recorded }: MarketRecording): Finding[] {
  return (['not_loaded', 'lost'] as const).flatMap((cause) => {
    const gaps = recorded?.gaps.filter((gap) => gap.cause === cause) ?? []
    const slots = gaps.reduce((sum, gap) => sum + gap.slots, 0)
    const command = gaps[0]?.fix
    const [where, why] = gapWords[cause]
    return command
      ? [
          {
            tone: 'bad' as const,
            title: `${counted(slots, 'snapshot')} ${slots === 1 ? 'is' : 'are'} ${where}`,
            why,
            command,
          },
        ]
      : []
  })
}

function checkedOf({ checked, series }: MarketRecording): Finding[] {
  if (!checked || !series || series.is_empty) return []
  const { days, checked: clean, with_problems: wrong, oldest } = checked
  const command = 'rackrate check --for 10m'
  if (wrong > 0)
    return [
      {
        tone: 'bad',
        title: `The check found ${counted(wrong, 'day')} with wrong figures`,
        why: 'It names each fault with the command that mends it.',
        command,
      },
    ]
  if (clean === 0)
    return [
      {
        tone: '',
        title: 'No day has been checked yet',
        why: 'The check computes every figure again and compares. Run it every hour.',
        command,
      },
    ]
  return [
    {
      tone: 'good',
      title: `${count(clean)} of ${counted(days, 'day')} ${days === 1 ? 'is' : 'are'} checked without a fault`,
      why: oldest === null ? '' : `The oldest of these checks was on ${moment(oldest)}.`,
      ...(clean < days && { command }),
    },
  ]
}

const gigabytes = (size: number): string => `${oneDecimal(size / 1e9)} GB`

function diskOf({ disk }: MarketRecording): Finding[] {
  if (!disk) return []
  const { room, reserve, problem } = disk
  if (problem) return [{ tone: 'bad', title: 'The disk is nearly full', why: problem }]
  const title = `${gigabytes(room)} left on the disk`
  const kept = reserve > 0 ? ` ${gigabytes(reserve)} more are kept free.` : ''
  if (room < littleRoom)
    return [{ tone: 'warn', title, why: `Make room, or set OBSERVATION_RETENTION.${kept}` }]
  return [{ tone: 'good', title, why: reserve > 0 ? `${kept.trim()}` : 'ClickHouse keeps no reserve of it.' }]
}

function backupOf({ backup, series }: MarketRecording, at: number): Finding[] {
  if (!backup || !series || series.is_empty) return []
  const name = new Date(at * 1000).toISOString().slice(0, 10)
  const command = `rackrate backup ${name}`
  const { newest } = backup
  if (newest === null)
    return [
      {
        tone: 'warn',
        title: 'No backup yet',
        why: 'Without one the history is lost with its disk. PostgreSQL has its own: pg_dump.',
        command,
      },
    ]
  const age = at - newest.at
  const size = `${newest.name}, ${bytes(newest.bytes)}.`
  return [
    age > backupEvery
      ? {
          tone: 'warn',
          title: `The last backup is ${duration(age)} old`,
          why: `${size} An older one than 2 days lacks snapshots that PostgreSQL no longer keeps.`,
          command,
        }
      : { tone: 'good', title: `The last backup is ${duration(age)} old`, why: size },
  ]
}
