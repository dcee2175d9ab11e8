import { day } from './durations.ts'

// Without zod: the page imports this, too.

/** The stages of a rule. It shows its decisions; it also keeps a record as if they were carried out; it carries them out. */
export const autopilotStages = ['suggest', 'dry_run', 'live'] as const
export type AutopilotStage = (typeof autopilotStages)[number]

/** Limits per account and per rule, and the defaults of a rule. */
export const autopilotLimits = {
  rules: 100,
  name: 100,
  /** Machines that one request by hand can change. */
  byHand: 100,
  largestStep: 0.5,
  hours: 720,
  changesADay: 24,
  highestPrice: 1_000_000,
  /** Seconds that a rule must have been in a dry run before it may go live. */
  dryRun: day,
  /** Default occupancy thresholds (percent) above and below which a rule moves the price, chosen by `npm run bench -- autopilot`. */
  ownResults: { raise_above: 70, lower_below: 40 },
  /** Machines of a dry run that are replayed. */
  replayed: 100,
  /** Days of the past that a rule is tried on. */
  triedDays: 14,
} as const

/** Reasons why a price is not changed. */
export const autopilotRefusals = [
  'not_proven',
  'on_its_way',
  'not_listed',
  'stale',
  'clock',
  'gap',
  'changed_elsewhere',
  'not_seen_yet',
  'no_floor',
  'floor_above_ceiling',
  'floor_beyond_step',
  'thin',
  'no_target',
  'running_rental',
  'quiet',
  'too_soon',
  'too_many',
] as const
export type AutopilotRefusal = (typeof autopilotRefusals)[number]
