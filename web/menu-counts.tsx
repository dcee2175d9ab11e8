import { useEffect } from 'preact/hooks'
import { useRules } from './alerts/api.ts'
import { useFleetAdvice } from './api/machines.ts'
import { useRules as useAutopilot } from './autopilot/api.ts'
import { present } from './clock.ts'
import { countsOf, withPlaces } from './count-tasks.ts'
import { taskCounts } from './task-counts.ts'

/** Reads the things to do for the menu. Today asks the same, so there it costs no request. */
export function MenuCounts() {
  const advice = useFleetAdvice(true).data
  const alerts = useRules().data
  const rules = useAutopilot().data?.rules
  useEffect(() => {
    taskCounts.value = withPlaces(countsOf({ advice, alerts, rules }, present()))
  }, [advice, alerts, rules])
  useEffect(
    () => () => {
      taskCounts.value = new Map()
    },
    [],
  )
  return null
}
