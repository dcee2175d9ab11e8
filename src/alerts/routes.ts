import { changeAlert } from './change-rule.ts'
import type { AlertsRoute } from './context.ts'
import { createAlert } from './create-rule.ts'
import { deleteAlert } from './delete-rule.ts'
import { closeAlertFeed } from './feed/close-feed.ts'
import { openAlertFeed } from './feed/open-feed.ts'
import { readAlertFeed } from './feed/read-feed.ts'
import { getAlert } from './get-rule.ts'
import { listAlertMessages } from './list-messages.ts'
import { listAlerts } from './list-rules.ts'
import { silenceAlert } from './silence-rule.ts'
import { testAlert } from './test-rule.ts'
import { tryAlert } from './try-rule.ts'

/** The routes of alerts. */
export const alertRoutes: AlertsRoute[] = [
  listAlerts,
  createAlert,
  getAlert,
  changeAlert,
  deleteAlert,
  silenceAlert,
  testAlert,
  tryAlert,
  listAlertMessages,
  readAlertFeed,
  openAlertFeed,
  closeAlertFeed,
]
