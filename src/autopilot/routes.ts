import { applyByHand } from './apply-by-hand.ts'
import { auditAutopilot } from './audit.ts'
import { changeAutopilotRule } from './change-rule.ts'
import type { AutopilotRoute } from './context.ts'
import { createAutopilotRule } from './create-rule.ts'
import { deleteAutopilotRule } from './delete-rule.ts'
import { listAutopilotDecisions } from './list-decisions.ts'
import { listAutopilotRules } from './list-rules.ts'
import { listAutopilotSuggestions } from './list-suggestions.ts'
import { replayAutopilotRule } from './replay-rule.ts'
import { setAutopilotStage } from './set-stage.ts'
import { stopAutopilot } from './stop-all.ts'
import { tryAutopilotRule } from './try-rule.ts'
import { undoAutopilotDecision } from './undo-decision.ts'

/** The routes of the autopilot. */
export const autopilotRoutes: AutopilotRoute[] = [
  listAutopilotRules,
  createAutopilotRule,
  changeAutopilotRule,
  deleteAutopilotRule,
  setAutopilotStage,
  replayAutopilotRule,
  tryAutopilotRule,
  listAutopilotSuggestions,
  listAutopilotDecisions,
  undoAutopilotDecision,
  stopAutopilot,
  applyByHand,
  auditAutopilot,
]
