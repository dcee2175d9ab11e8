/** The sum of the last numbers. */
export class SlidingSum {
  sum = 0
  private readonly numbers: number[] = []
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  get count(): number {
    return Math.min(this.most, this.numbers.length)
  }

  add(number: number): void {
    this.numbers.push(number)
    this.sum +=
      number -
      (this.numbers.length > this.most ? (this.numbers[this.numbers.length - 1 - this.most] ?? 0) : 0)
  }
}

/** The last numbers, in order of size. */
export class SortedWindow {
  private readonly sorted: number[] = []
  private readonly numbers: number[] = []
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  add(number: number): void {
    this.numbers.push(number)
    this.sorted.splice(this.placeOf(number), 0, number)
    const old = this.numbers[this.numbers.length - 1 - this.most]
    if (old !== undefined) this.sorted.splice(this.placeOf(old), 1)
  }

  /** Quantile by linear interpolation; 0 if empty. A share above 1 extends the maximum proportionally. */
  quantile(share: number): number {
    const place = Math.ceil(share * (this.sorted.length + 1)) - 1
    const widest = (this.sorted.at(-1) ?? 0) * Math.max(1, share)
    return place >= this.sorted.length ? widest : (this.sorted[Math.max(0, place)] ?? 0)
  }

  private placeOf(number: number): number {
    let [low, high] = [0, this.sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.sorted[middle] ?? number) < number) low = middle + 1
      else high = middle
    }
    return low
  }
}
