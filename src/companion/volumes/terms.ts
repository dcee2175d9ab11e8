import { z } from 'zod'
import { epoch } from '../../../contract/fields.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { VolumesBody } from './schema.ts'

/** The terms of a listing. */
export interface Terms {
  /** GB */
  size: number
  /** USD per GB and month */
  price: number
  /** Unix seconds */
  endDate: number
}

export const unprocessable = (msg: string) => new ApiError(422, 'invalid_args', msg)

const size = z.int().min(1).max(1_000_000)
const price = z.number().min(0).max(1_000_000)

/** The terms that a request sets. Throws 422. */
export function termsOf(body: VolumesBody, now: number): Partial<Terms> {
  const read = <T>(schema: z.ZodType<T>, value: unknown, msg: string): T | undefined => {
    if (value == null) return undefined
    const parsed = schema.safeParse(value)
    if (!parsed.success) throw unprocessable(msg)
    return parsed.data
  }
  const terms = {
    size: read(size, body.size, 'Invalid size: must be a whole number of GB, at least 1'),
    price: read(price, body.price_disk, 'Invalid price_disk: must be USD per GB and month, at least 0'),
    endDate: read(epoch, body.end_date, 'Invalid end_date: must be unix seconds in the future'),
  }
  if (terms.endDate !== undefined && terms.endDate <= now)
    throw unprocessable('Invalid end_date: must be unix seconds in the future')
  return Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined))
}

/** Defaults of a new listing: 15 GB, $0.10, three months. */
export function defaultTerms(now: number): Terms {
  const end = new Date(now * 1000)
  end.setUTCMonth(end.getUTCMonth() + 3)
  return { size: 15, price: 0.1, endDate: end.getTime() / 1000 }
}
