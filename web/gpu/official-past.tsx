import { useQuery } from '@tanstack/preact-query'
import { useLayoutEffect, useMemo } from 'preact/hooks'
import type { z } from 'zod'
import { floorTo } from '../../contract/ladder.ts'
import type { officialAnswer } from '../../contract/official.ts'
import { requestJson } from '../api/client.ts'
import { type History, marketPath } from '../api/history.ts'
import { day } from '../format.ts'
import { key } from '../session.ts'
import { joinPast } from './join-past.ts'

interface OfficialPastProps {
  history: History
  onPast: (joined: History) => void
}

/** Reads the official aggregates of the range before the own observations, and joins them with the history. */
export function OfficialPast({ history, onPast }: OfficialPastProps) {
  const { step, start, end } = history
  const question = { ...history.question, start: floorTo(step, start), end: floorTo(step, end), step }
  const firstOwn = Math.min(
    end,
    ...Object.values(history.gpus).flatMap(({ pricing }) => pricing.timestamps.slice(0, 1)),
  )
  const { data } = useQuery({
    queryKey: ['official', key.value, question],
    queryFn: ({ signal }) =>
      requestJson<z.infer<typeof officialAnswer>>(marketPath('official', question, end), { signal }),
    enabled: firstOwn > start + step,
  })
  const joined = useMemo(() => data && joinPast(history, data), [history, data])
  useLayoutEffect(() => {
    if (joined) onPast(joined)
  }, [joined])
  if (!joined?.officialBefore) return null
  return (
    <p class="note">
      Before {day(joined.officialBefore)} the charts show aggregates of an official server, not own
      observations.
    </p>
  )
}
