import { z } from 'zod'

/** A program by its path, and its arguments. No shell splits them. */
export const commandLine = z.string().transform((text, context): string[] => {
  try {
    const list: unknown = JSON.parse(text)
    if (Array.isArray(list) && list.every((one) => typeof one === 'string') && list[0]?.startsWith('/'))
      return list
  } catch {
    // The same list; a value that is not a list gives an empty one.
  }
  context.addIssue({
    code: 'custom',
    message: 'must be a list in JSON: ["/opt/set-price", "{machine}", "{price}"]',
  })
  return z.NEVER
})

/** A mail address, with or without a name before it. */
export const sender = z
  .string()
  .regex(
    /^(?:[^<>@\s]+@[^<>@\s]+|[^<>]*<[^<>@\s]+@[^<>@\s]+>)$/,
    'must be a mail address: rackrate@example.com, or Rackrate <rackrate@example.com>',
  )
