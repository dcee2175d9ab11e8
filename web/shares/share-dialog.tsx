import './shares.css'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { metricTitles } from '../../contract/chart-choices.ts'
import type { Share, SharedChart } from '../../contract/shares.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { Failure } from '../components/failure.tsx'
import { dateTime, duration, sentence } from '../format.ts'
import { type Shown, sharedOf } from '../gpu/shared-of.ts'
import { useShares, useSharing } from './api.ts'

const nameOf = ({ metric, query, last }: SharedChart): string => {
  const given = new URLSearchParams(query)
  const names = given.get('gpu_name')?.replaceAll(',', ', ')
  const source = given.get('source')
  return `${metricTitles[metric]} of ${names}${source === null ? '' : ` (${source})`}${last === null ? '' : `, last ${duration(last)}`}`
}

const frameOf = (link: string): string =>
  `<iframe src="${link}" title="GPU prices" width="720" height="420" loading="lazy"></iframe>`

interface ShareDialogProps {
  of: Shown
  onClose: () => void
}

/** Creates a link to a chart, and shows the account's links. */
export function ShareDialog({ of, onClose }: ShareDialogProps) {
  const chart = useMemo(() => sharedOf(of), [of])
  const dialog = useRef<HTMLDialogElement>(null)
  const link = useSignal('')
  const failure = useSignal('')
  const shares = useShares()
  const { share, revoke } = useSharing()
  useEffect(() => dialog.current?.showModal(), [])
  const isMade = useSignal(false)
  const act = (work: Promise<unknown>) => {
    failure.value = ''
    return work.catch((error: Error) => {
      failure.value = sentence(error.message)
    })
  }
  async function make(): Promise<void> {
    if (isMade.value) return // a double click makes one link
    isMade.value = true
    await act(
      share(chart).then((url) => {
        link.value = url
      }),
    )
    isMade.value = false
  }

  return (
    <dialog ref={dialog} class="shares" aria-labelledby="share-title" onClose={onClose}>
      <article>
        <h2 id="share-title">Share: {nameOf(chart)}</h2>
        <p>
          Anyone with the link can see this chart without a key. It shows figures of the market only, nothing
          of yours. The link works until you revoke it or your API key ends.
        </p>
        {link.value ? (
          <>
            <p role="status">This is the link. It is shown only once.</p>
            <Copied label="Link" text={link.value} />
            <Copied label="HTML to embed" text={frameOf(link.value)} />
          </>
        ) : (
          <button type="button" aria-busy={isMade.value} onClick={make}>
            Make a link
          </button>
        )}
        <Failure text={failure.value || shares.error?.message} />
        {shares.data && shares.data.length > 0 && (
          <ShareList shares={shares.data} revoke={(id) => act(revoke(id))} />
        )}
        <p class="actions">
          <button type="button" class="secondary outline" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </p>
      </article>
    </dialog>
  )
}

const Copied = ({ label, text }: { label: string; text: string }) => (
  <p class="copied">
    <label>
      {label}
      <input readOnly value={text} onFocus={({ currentTarget }) => currentTarget.select()} />
    </label>
    <CopyButton label="Copy" text={() => text} />
  </p>
)

const ShareList = ({ shares, revoke }: { shares: Share[]; revoke: (id: number) => void }) => (
  <section aria-labelledby="shared-charts">
    <h2 id="shared-charts">Your shared charts</h2>
    <ul>
      {shares.map(({ id, chart, created_at, stop_reason }) => (
        <li key={id}>
          <span>
            {nameOf(chart)}{' '}
            <span class="quiet">
              since {dateTime(created_at)}
              {stop_reason && `. Inactive: ${stop_reason.toLowerCase()}`}
            </span>
          </span>
          <button
            type="button"
            class="secondary outline small"
            aria-label={`Revoke: ${nameOf(chart)}, since ${dateTime(created_at)}`}
            onClick={() => revoke(id)}
          >
            Revoke
          </button>
        </li>
      ))}
    </ul>
  </section>
)
