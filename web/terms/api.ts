import { useQuery } from '@tanstack/preact-query'
import type { TermAdviceAnswer } from '../../contract/income-by-terms.ts'
import { requestJson } from '../api/client.ts'
import { key } from '../session.ts'

/** The advice on terms of own machines. */
export const useTermAdvice = (isWanted = true) =>
  useQuery({
    queryKey: ['term advice', key.value],
    queryFn: ({ signal }) => requestJson<TermAdviceAnswer>('api/v0/metrics/machines/term-advice', { signal }),
    enabled: isWanted,
  })
