import { useQuery } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
import type { z } from 'zod'
import { day } from '../../contract/durations.ts'
import type { eventsAnswer } from '../../contract/events.ts'
import { requestJson } from '../api/client.ts'
import { type History, marketPath } from '../api/history.ts'
import type { Mark } from '../charts/spec.ts'
import { eventNames } from '../event-names.ts'
import { dateTime, type Zone } from '../format.ts'
import { key } from '../session.ts'

/** More marks hide the prices. */
const most = 12
const longest = 31 * day
const words = new Map<string, string>(eventNames)

interface EventMarksProps {
  /** The GPU type. */
  name: string
  history: History
  zone: Zone
  onMarks: (marks: Mark[]) => void
}

/** Marks the newest events of the range in the price chart, and lists them for screen readers. */
export function EventMarks({ name, history, zone, onMarks }: EventMarksProps) {
  const { start, end } = history
  const { step: _, ...filters } = history.question
  const question = { ...filters, gpu_name: name, start, end }
  const { data } = useQuery({
    queryKey: ['events', key.value, question],
    queryFn: ({ signal }) =>
      requestJson<z.infer<typeof eventsAnswer>>(marketPath('events', question, end), { signal }),
    enabled: end - start <= longest,
  })
  const found = data?.events.slice(0, most) ?? []
  useEffect(() => {
    if (found.length === 0) return
    onMarks(
      found.map(({ kind, at }) => ({
        label: words.get(kind) ?? kind,
        place: at,
        color: 'available',
        isEvent: true,
      })),
    )
    return () => onMarks([])
  }, [data])
  return (
    <ul class="unseen" aria-label="Events">
      {found.map(({ kind, at }) => (
        <li key={`${kind} ${at}`}>
          {words.get(kind)}, {dateTime(at, zone)}
        </li>
      ))}
    </ul>
  )
}
