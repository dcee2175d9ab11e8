import type { Value } from '../charts/spec.ts'
import { change, nothing } from '../format.ts'

/** The change of a price, as a share of 1. The direction is a shape, not a colour: a higher price is good for a host and bad for a renter. */
export const Change = ({ value }: { value: Value }) => (
  <span class="change">{value === null ? nothing : `${arrow(value)} ${change(value)}`}</span>
)

const arrow = (value: number): string => (Math.abs(value) < 0.0005 ? '→' : value > 0 ? '↑' : '↓')
