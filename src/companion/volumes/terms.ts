import { z } from 'zod'
import { ApiError } from '../../platform/errors.ts'
import { epoch } from '../../platform/schemas.ts'
import type { VolumesBody } from './schema.ts'

const defaultSize = 15
const defaultPrice = 0.1

export interface Terms {
  size: number
  price: number
  /** Unix seconds */
  endDate: number
}

export const unprocessable = (msg: string) => new ApiError(422, 'invalid_args', msg)

const size = z.int().min(1).max(1_000_000)
const price = z.number().min(0).max(1_000_000)

/** What a listing offers, with the defaults of WIRE.md. Throws 422. */
export function termsOf(body: VolumesBody, now = new Date()): Terms {
  const read = <T>(schema: z.ZodType<T>, value: unknown, msg: string): T => {
    const parsed = schema.safeParse(value)
    if (!parsed.success) throw unprocessable(msg)
    return parsed.data
  }
  const endDate = read(
    epoch,
    body.end_date ?? threeMonthsAfter(now),
    'Invalid end_date: unix seconds to come',
  )
  if (endDate <= now.getTime() / 1000) throw unprocessable('Invalid end_date: it is past')
  return {
    size: read(size, body.size ?? defaultSize, 'Invalid size: whole GB, at least 1'),
    price: read(
      price,
      body.price_disk ?? defaultPrice,
      'Invalid price_disk: USD per GB and month, 0 or more',
    ),
    endDate,
  }
}

function threeMonthsAfter(now: Date): number {
  const then = new Date(now)
  then.setUTCMonth(then.getUTCMonth() + 3)
  return then.getTime() / 1000
}
