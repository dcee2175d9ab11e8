import './recording.css'
import { useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import type { MarketRecording, RecordingAnswer, RecordingGap } from '../../../contract/recording.ts'
import { base, requestJson } from '../../api/client.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { Icon } from '../../components/icon.tsx'
import { NoMarket } from '../../components/no-market.tsx'
import { outlines } from '../../components/outlines.ts'
import { Skeleton } from '../../components/skeleton.tsx'
import { Status } from '../../components/status.tsx'
import { counted, duration } from '../../format.ts'
import { key } from '../../session.ts'
import { findingsOf } from './findings.ts'
import { headlineOf, shareWords } from './headline.ts'
import { moment, momentsBetween } from './moments.ts'
import type { Finding } from './queue-findings.ts'
import { Strip } from './strip.tsx'

/** Gaps of a market that are listed. */
const mostGaps = 4

const refetchMs = 60_000

interface HealthProps {
  /** A card beside the tasks. */
  beside?: ComponentChildren
}

/** The health of the recording, for admins: each market, and what needs a hand. */
export function Health({ beside }: HealthProps) {
  const asked = useQuery({
    queryKey: ['recording', key.value],
    queryFn: ({ signal }) => requestJson<RecordingAnswer>('api/v0/metrics/recording', { signal }),
    refetchInterval: refetchMs,
  })
  const { data } = asked
  const findings = data ? findingsOf(data) : []
  const headline = data && headlineOf(data, findings)
  const isBad = findings.some(({ tone }) => tone === 'bad' || tone === 'warn')
  const tasks = findings.length > 0 && <Findings findings={findings} isBad={isBad} />
  if (data && headline === null)
    return (
      <>
        <NoMarket />
        {isBad && tasks}
      </>
    )
  return (
    <>
      <section class="card recording" aria-labelledby="recording" aria-busy={asked.isPending}>
        <div class="pad">
          <h2 id="recording" class="label">
            Health of the recording
          </h2>
          {headline ? (
            <p class="headline">{headline}</p>
          ) : (
            <p class="headline quiet">{asked.isPending && 'Looking at the markets'}</p>
          )}
          <Status of={[asked]} hasData={data !== undefined} />
        </div>
        {data
          ? data.markets.map((market) => (
              <Market key={market.name} market={market} at={data.at} several={data.markets.length > 1} />
            ))
          : asked.isPending && <Skeleton />}
      </section>
      {beside ? (
        <div class="sides">
          {tasks || <span />}
          {beside}
        </div>
      ) : (
        tasks
      )}
    </>
  )
}

/** The findings. Where there is something to do, the good ones are folded. */
function Findings({ findings, isBad }: { findings: readonly Finding[]; isBad: boolean }) {
  const good = isBad ? findings.filter(({ tone }) => tone === 'good') : []
  return (
    <section class="card to-do" aria-labelledby="findings">
      <header>
        <h2 id="findings">{isBad ? 'To do for the recording' : 'Nothing to do for the recording'}</h2>
      </header>
      <FindingRows findings={findings.filter((finding) => !good.includes(finding))} />
      {good.length > 0 && (
        <details class="fold">
          <summary>
            {counted(good.length, 'other check')} {good.length === 1 ? 'is' : 'are'} good
          </summary>
          <FindingRows findings={good} />
        </details>
      )}
    </section>
  )
}

const FindingRows = ({ findings }: { findings: readonly Finding[] }) => (
  <ul>
    {findings.map((finding) => (
      <FindingRow key={finding.title} {...finding} />
    ))}
  </ul>
)

interface MarketProps {
  market: MarketRecording
  at: number
  several: boolean
}

function Market({ market: { name, is_collected, series, recorded }, at, several }: MarketProps) {
  const shown = name ?? (series?.is_simulated ? 'Simulated market' : 'This marketplace')
  const newest = series?.newest_slot ?? null
  return (
    <div class="market">
      <p>
        {(several || name !== null) && <b dir="auto">{shown}</b>}
        <span>
          {recorded && recorded.expected > 0 && (
            <>
              <strong>{shareWords(recorded.recorded, recorded.expected)}</strong> of{' '}
              {counted(recorded.expected, 'snapshot')} recorded
            </>
          )}
        </span>
        <span class="quiet">
          {newest === null
            ? series
              ? 'No snapshot yet'
              : 'Not known while a store is away'
            : `Newest snapshot ${duration(Math.max(0, at - newest))} old`}
          {!is_collected && ', no longer collected'}
          {series?.filling != null &&
            `, ${Math.floor(series.filling * 100)}\u00a0% of the simulated history is there`}
        </span>
      </p>
      {recorded && <Strip recorded={recorded} at={at} name={shown} />}
      {recorded && recorded.gaps.length > 0 && <Gaps recorded={recorded} />}
    </div>
  )
}

function Gaps({
  recorded: { gaps, further_gaps, to },
}: {
  recorded: NonNullable<MarketRecording['recorded']>
}) {
  const longest = new Set([...gaps].sort((one, other) => other.slots - one.slots).slice(0, mostGaps))
  const more = gaps.length - longest.size + further_gaps
  return (
    <>
      <ul class="gaps">
        {gaps
          .filter((gap) => longest.has(gap))
          .map((gap) => (
            <li key={gap.from}>
              <b>{gap.to >= to ? `Since ${moment(gap.from)}` : momentsBetween(gap.from, gap.to)}:</b>{' '}
              {counted(gap.slots, 'snapshot')} {words[gap.cause]}
            </li>
          ))}
      </ul>
      {more > 0 && <p class="note">{`And ${counted(more, 'shorter gap')}.`}</p>}
      {gaps.some(({ cause }) => cause === 'not_taken') && (
        <p class="note">
          A snapshot that was not taken stays missing, unless a file with the prices of that time is imported:{' '}
          <code>rackrate import FILE</code>
        </p>
      )}
    </>
  )
}

const words: Record<RecordingGap['cause'], string> = {
  not_taken: 'not taken: no worker ran, or the source gave no market.',
  waiting: 'in PostgreSQL, waiting for ClickHouse. Nothing is lost.',
  not_loaded: 'in PostgreSQL, but not in ClickHouse.',
  lost: 'in neither store.',
}

const FindingRow = ({ tone, title, why, command, isOfQueues }: Finding) => (
  <li>
    <span class={`badge ${tone}`}>
      <Icon outline={tone === 'good' ? outlines.check : tone === '' ? outlines.clock : outlines.alert} />
    </span>
    <div>
      <b dir="auto" title={title}>
        {title}
      </b>
      <p>{why}</p>
      {command && <code>{command}</code>}
    </div>
    <span class="amount" />
    {command ? (
      <CopyButton label="Copy the command" text={() => command} />
    ) : isOfQueues ? (
      // biome-ignore lint/a11y/useSemanticElements: a link that looks like the buttons of the other rows
      <a
        href={new URL('admin/queues', base).href}
        target="_blank"
        rel="noreferrer"
        class="outline"
        role="button"
      >
        See the queues
      </a>
    ) : (
      <span />
    )}
  </li>
)
