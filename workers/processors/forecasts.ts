import { keepForecasts } from '../../src/market/forecast/kept.ts'
import type { Processor } from '../work-context.ts'

/** Keeps the forecasts of the newest hour, so that it can be told later how they fared. */
export const keepNewForecasts: Processor = ({ stopping, ...context }) => keepForecasts(context, stopping)
