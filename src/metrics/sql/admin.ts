import type { Caller } from '../../platform/auth.ts'
import { forbidden } from '../../platform/errors.ts'

export function requireAdmin({ isAdmin }: Caller): void {
  if (!isAdmin) throw forbidden('Admin access required')
}
