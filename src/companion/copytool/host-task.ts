import { z } from 'zod'
import { notFound } from '../../../platform/errors.ts'

/** The purpose that task tokens are sealed for (Vault). */
export const tokenPurpose = 'task token'

/** What the endpoints for a host's agent have in common. */
export const taskParams = z.object({ token: z.string() })
export const taskErrors = {
  404: "The account's machines have no such task, or it has ended or expired: `not_found`",
}
export const taskNotFound = () => notFound('There is no such task')
