import { ApiError } from '../errors.ts'

/** The properties of a key's holder that access depends on. */
export interface Holder {
  kind: 'person' | 'team'
  isAdmin: boolean
  isHost: boolean
}

interface Rule {
  allows(holder: Holder): boolean
  /** The message of the 403. */
  refusal: string
  /** The text for the OpenAPI document. */
  description: string
}

const rules = {
  host: {
    allows: ({ isHost, isAdmin }) => isHost || isAdmin,
    refusal: 'Host or admin access required',
    description: 'Requires the key of a host or an admin.',
  },
  admin: {
    allows: ({ isAdmin }) => isAdmin,
    refusal: 'Admin access required',
    description: 'Requires the key of an admin.',
  },
  person: {
    allows: ({ kind }) => kind === 'person',
    refusal: "A team's key cannot do this. Use your personal key.",
    description: "Requires a person's key; a team's key is refused.",
  },
  team: {
    allows: ({ kind }) => kind === 'team',
    refusal: "This requires a team's key",
    description: "Requires a team's key.",
  },
} satisfies Record<string, Rule>

export type Access = keyof typeof rules

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The callers allowed on the route, besides the key's permissions. Default: any key. */
    access?: Access
    /** The error code when `access` refuses the caller. Default: `forbidden`. */
    refusal?: string
    /**
     * The route shows the market, which a host sees only while it has an active machine. A host without one gets this answer,
     * with a mark.
     */
    withoutMachine?: object
  }
}

/** Throws 403 when the holder of a key may not call a route with this access. */
export function requireAccess(holder: Holder, access: Access, code = 'forbidden'): void {
  const rule: Rule = rules[access]
  if (!rule.allows(holder)) throw new ApiError(403, code, rule.refusal)
}

/** The sentence about a route's access in the OpenAPI document. */
export const accessDescription = (access: Access): string => rules[access].description
