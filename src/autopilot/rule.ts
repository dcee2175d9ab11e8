import type { AutopilotStage } from '../../contract/autopilot-kinds.ts'
import type { AutopilotRails, AutopilotTarget } from '../../estimates/autopilot-moment.ts'

/** The target and the rails of a rule, as they are stored. */
export type RuleSettings = AutopilotRails & { target: Exclude<AutopilotTarget, { kind: 'price' | 'undo' }> }

/** A row of autopilot/in_force. */
export interface RuleInForce {
  id: number
  source: string | null
  account_id: number
  created_by: number
  key_id: number | null
  version: number
  name: string
  machine_id: string | null
  gpu_name: string | null
  settings: RuleSettings
  stage: AutopilotStage
  /** By machine: the state key of the rule's last verdict. */
  state: Record<string, string>
  has_webhook: boolean
  dry_run_since: number | null
  stop_reason: string | null
  recipient: string | null
}
