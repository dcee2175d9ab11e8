import { useQuery } from '@tanstack/preact-query'
import type { z } from 'zod'
import type { sourcesAnswer } from '../../contract/sources.ts'
import { key } from '../session.ts'
import { requestJson } from './client.ts'

/** The sources of the site, the first one first. */
export const useSources = () =>
  useQuery({
    queryKey: ['sources', key.value],
    queryFn: async ({ signal }) =>
      (await requestJson<z.infer<typeof sourcesAnswer>>('api/v0/metrics/sources', { signal })).sources,
    staleTime: 300_000,
  })
