// Without zod: estimates and the page import this, too.

/**
 * The advice on a price. `keep`: no other price is likely to earn noticeably more. `try`: a price that probably earns more, and asking it for
 * some days shows it. `start`: the price to begin with, of a machine without one. `unknown`: the obstacle has the reason.
 */
export const verdicts = ['raise', 'lower', 'keep', 'try', 'start', 'unknown'] as const
export type Verdict = (typeof verdicts)[number]

/**
 * The source of an estimate: occupancies of the market's first snapshot and rentals of other GPU types, rentals of the GPU type, or rentals
 * of the machine itself.
 */
export const grades = ['first_snapshot', 'class', 'own_results'] as const
export type Grade = (typeof grades)[number]

/** The reason why nothing is recommended. */
export const obstacles = ['offline', 'no_rentals_known', 'no_market', 'no_others', 'unsure'] as const
export type Obstacle = (typeof obstacles)[number]
