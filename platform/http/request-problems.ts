import type { FastifySchemaValidationError } from 'fastify/types/schema.js'
import type { z } from 'zod'

/** The most problems of a request that a message lists. */
const mostNamed = 20

/** All validation problems of a request, in plain words: `name is required; size must be at least 1`. */
export function describeProblems(errors: readonly FastifySchemaValidationError[], part = 'request'): string {
  const problems = [...new Set(errors.map((error) => describe(error, part)))]
  const others = problems.length - mostNamed
  return problems.slice(0, mostNamed).join('; ') + (others > 0 ? `; and ${others} more` : '')
}

// The sentence for one problem. A message that begins with a verb is about the field at the path. Any other is a sentence of its
// own.
function describe(
  { instancePath, message = 'is invalid' }: FastifySchemaValidationError,
  part: string,
): string {
  const field = instancePath.split('/').filter(Boolean).join('.')
  return /^(is|has|must) /.test(message) ? `${field || `The ${part}`} ${message}` : message
}

const types: Record<string, string> = {
  array: 'an array',
  boolean: 'true or false',
  int: 'an integer',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
}
const formats: Record<string, string> = { email: 'an e-mail address', url: 'a URL', uuid: 'a UUID' }
const units: Record<string, string> = { array: 'element', string: 'character' }

/** The message of a problem without a message in its schema; undefined: zod's own message. */
export const plainMessage: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required'
      return `must be ${types[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : `must be ${oneOf(issue.values)}`
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? 'in the documented format'}`
    case 'too_small':
    case 'too_big': {
      const [word, limit] = issue.code === 'too_small' ? ['least', issue.minimum] : ['most', issue.maximum]
      const unit = units[issue.origin]
      return unit
        ? `must have at ${word} ${limit} ${unit}${limit === 1 ? '' : 's'}`
        : `must be at ${word} ${limit}`
    }
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.slice(0, 3).join(', ').slice(0, 100)}`
    case 'invalid_union':
      if (issue.input === undefined) return 'is required'
      return Array.isArray(issue.options) ? `must be ${oneOf(issue.options)}` : 'has an invalid value'
    default:
      return undefined
  }
}

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`
