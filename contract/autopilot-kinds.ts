// Without zod: the page imports this, too.

/** How far a rule goes: it shows what it would do; it keeps a record of that as if it were done; it does it. */
export const autopilotStages = ['suggest', 'dry_run', 'live'] as const
export type AutopilotStage = (typeof autopilotStages)[number]

/** The most of what an account or a rule can have, and what a rule has unless it says otherwise. */
export const autopilotLimits = {
  rules: 100,
  name: 100,
  /** Machines that are changed by hand at once. */
  byHand: 100,
  largestStep: 0.5,
  hours: 720,
  changesADay: 24,
  highestPrice: 1_000_000,
  /** Seconds that a rule must have been in a dry run before it may go live. */
  dryRun: 86_400,
  /** Percent of its machine that a rule calls much and little, unless it says otherwise: measured by `npm run bench -- autopilot`. */
  ownResults: { raise_above: 70, lower_below: 40 },
  /** Machines of a dry run that are replayed. */
  replayed: 100,
} as const

/** Why a price is not changed. */
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
  'quiet',
  'too_soon',
  'too_many',
] as const
export type AutopilotRefusal = (typeof autopilotRefusals)[number]
