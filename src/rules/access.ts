import { forbidden } from '../../platform/errors.ts'
import { type Caller, needsMachine } from '../../platform/security/auth.ts'
import type { RuleMarket } from './markets.ts'

/** Writing a rule needs the permission to read the figures that its messages contain. */
export function requireReading({ permissions }: Caller): void {
  if (permissions.api.machine_read === undefined)
    throw forbidden('This key lacks the permission machine_read')
}

/** A market is shown to hosts with an active machine in it, and to admins. */
export function requireMarket(caller: Caller, { source }: RuleMarket): void {
  if (needsMachine(caller, source ?? undefined))
    throw forbidden('Only hosts with an active machine may read the market')
}
