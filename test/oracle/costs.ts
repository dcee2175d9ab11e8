import type { Costs } from '../../contract/cost-fields.ts'

/** A fraction of whole numbers, never rounded. */
class Ratio {
  readonly over: bigint
  readonly under: bigint
  constructor(over: bigint, under: bigint) {
    const sign = under < 0n ? -1n : 1n
    this.over = sign * over
    this.under = sign * under
  }
  plus({ over, under }: Ratio): Ratio {
    return new Ratio(this.over * under + over * this.under, this.under * under)
  }
  minus({ over, under }: Ratio): Ratio {
    return this.plus(new Ratio(-over, under))
  }
  times({ over, under }: Ratio): Ratio {
    return new Ratio(this.over * over, this.under * under)
  }
  per({ over, under }: Ratio): Ratio {
    return this.times(new Ratio(under, over))
  }
  get sign(): number {
    return this.over > 0n ? 1 : this.over < 0n ? -1 : 0
  }
  /** The greatest whole number that is not above it. */
  get floor(): bigint {
    const whole = this.over / this.under
    return this.over % this.under < 0n ? whole - 1n : whole
  }
}

const whole = (value: bigint | number): Ratio => new Ratio(BigInt(value), 1n)

/** A number as it is written: 0.1 is a tenth. */
function ratio(value: number): Ratio {
  const [mantissa = '', exponent = '0'] = value.toString().split('e')
  const [digits = '', decimals = ''] = mantissa.split('.')
  const scale = decimals.length - Number(exponent)
  const over = BigInt(digits + decimals)
  return scale >= 0 ? new Ratio(over, 10n ** BigInt(scale)) : whole(over * 10n ** BigInt(-scale))
}

/** The nearest number with the given decimals; halves away from 0. */
function nearest(value: Ratio, decimals: number): number {
  const size = value.sign < 0 ? whole(0).minus(value) : value
  const { floor } = size.times(whole(10n ** BigInt(decimals))).plus(new Ratio(1n, 2n))
  return Number(`${value.sign < 0 && floor > 0n ? '-' : ''}${floor}e-${decimals}`)
}
const roundedUp = (value: Ratio, decimals: number): number =>
  Number(`${-whole(0).minus(value.times(whole(10n ** BigInt(decimals)))).floor}e-${decimals}`)

/** The asking and rental prices of a machine, and its known costs. Null: unknown. */
export interface CostCase {
  price: number
  gpus: number
  occupancy: number
  costs: Costs
}

const known = (value: number | null): Ratio => ratio(value ?? 0)

function partsOf({ price, gpus, occupancy, costs }: CostCase) {
  const aDay = whole(24 * gpus).times(ratio(price))
  const kept = whole(1).minus(known(costs.fee_percent).per(whole(100)))
  const kilowatts = (watts: number | null) => known(watts).per(whole(1000))
  const tariff = known(costs.kwh_price).times(whole(24))
  const idle = tariff.times(kilowatts(costs.watts_idle))
  const load = tariff.times(kilowatts(costs.watts_load))
  const aMonth = (value: Ratio) => value.times(whole(12)).per(whole(365))
  const share = ratio(occupancy)
  return {
    kept,
    idle,
    load,
    share,
    rentedHours: whole(24 * gpus).times(share),
    income: aDay.times(share).times(kept),
    full: aDay.times(kept),
    power: idle.times(whole(1).minus(share)).plus(load.times(share)),
    other: aMonth(known(costs.other_per_month)),
    worn: costs.months === null ? whole(0) : aMonth(known(costs.purchase_price).per(ratio(costs.months))),
  }
}

/** The net of a day, in USD to the cent. */
export function expectedNet(one: CostCase): number {
  const { income, power, other, worn } = partsOf(one)
  return nearest(income.minus(power).minus(other).minus(worn), 2)
}

/** The difference between a day powered on and one powered off. */
export function expectedOn(one: CostCase): number {
  const { income, power } = partsOf(one)
  return nearest(income.minus(power), 2)
}

export function expectedFloor(one: CostCase) {
  const { idle, load, kept } = partsOf(one)
  const floor = load
    .minus(idle)
    .per(whole(24 * one.gpus))
    .per(kept)
  return { floor: roundedUp(floor, 9), minimum_bid: roundedUp(floor, 2) }
}

export function expectedBreakEven(one: CostCase) {
  const { kept, idle, load, share, rentedHours, full, power, other, worn } = partsOf(one)
  const left = full.minus(load.minus(idle))
  return {
    price: share.sign > 0 ? roundedUp(power.plus(other).plus(worn).per(rentedHours.times(kept)), 9) : null,
    occupancy: left.sign > 0 ? roundedUp(idle.plus(other).plus(worn).per(left), 6) : null,
  }
}

/** Days until the purchase price is earned; null: never. */
export function expectedDays(one: CostCase): number | null {
  const { income, power, other } = partsOf(one)
  const cash = income.minus(power).minus(other)
  return cash.sign > 0 ? roundedUp(known(one.costs.purchase_price).per(cash), 0) : null
}
