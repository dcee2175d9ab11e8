import { forbidden } from '../../../platform/errors.ts'
import type { Caller } from '../../../platform/security/auth.ts'

export function requireAdmin({ isAdmin }: Caller): void {
  if (!isAdmin) throw forbidden('Admin access required')
}
