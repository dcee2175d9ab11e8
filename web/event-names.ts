import type { eventKinds } from '../contract/events.ts'

/** The names of market events on the page. */
export const eventNames: readonly (readonly [(typeof eventKinds)[number], string])[] = [
  ['price_jump', 'price jump'],
  ['supply_drop', 'supply drop'],
  ['high_occupancy', 'high occupancy'],
  ['low_90d', 'lowest price of 90 days'],
]
