import { useQuery } from '@tanstack/preact-query'
import type { z } from 'zod'
import type { adviceRecordAnswer } from '../../contract/advice-record.ts'
import { requestJson } from '../api/client.ts'
import { counted } from '../format.ts'
import { key } from '../session.ts'
import { outcomeWords } from './outcome-words.ts'

const address = 'api/v0/metrics/machines/advice/record'

/** The track record of the advice on own prices, in sentences. */
export function AdviceRecord() {
  const { data } = useQuery({
    queryKey: ['advice record', key.value],
    queryFn: ({ signal }) => requestJson<z.infer<typeof adviceRecordAnswer>>(address, { signal }),
  })
  if (!data || data.advice.length === 0) return null
  const waiting = data.advice.filter(({ followed }) => followed === null).length
  return (
    <section class="card pad" aria-labelledby="advice-record">
      <h2 id="advice-record">Was the advice right?</h2>
      <p>
        {outcomeWords('followed', data.followed)} {outcomeWords('not followed', data.not_followed)}{' '}
        {waiting > 0 &&
          `${counted(waiting, 'piece')} of advice ${waiting === 1 ? 'has' : 'have'} no outcome yet.`}
      </p>
      <p class="note">
        Advice to raise, lower or try a price of the last 90 days, kept once a day and machine. Sums are USD a
        day of the seven days before and after. A week of a machine varies much more than the mean that the
        interval is about.
      </p>
    </section>
  )
}
