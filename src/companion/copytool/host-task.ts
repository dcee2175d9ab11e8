import { z } from 'zod'
import { notFound } from '../../../platform/errors.ts'

/** The vault purpose of task tokens. */
export const tokenPurpose = 'task token'

/** Parameters of all endpoints for a host's agent. */
export const taskParams = z.object({ token: z.string() })
export const taskErrors = {
  404: "The account's machines have no such task, or it has ended or expired: `not_found`",
}
export const taskNotFound = () => notFound('There is no such task')
