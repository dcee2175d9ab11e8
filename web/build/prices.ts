/** Purchase prices by GPU name in lower case, from their text in the address. */
export const pricesIn = (text: string): Map<string, string> =>
  new Map(
    text
      .split(',')
      .filter(Boolean)
      .map((pair) => {
        const [name = '', price = ''] = pair.split(':')
        return [name.toLowerCase(), price]
      }),
  )

/** The text with another price of a GPU name. An empty price removes it. */
export function withPrice(text: string, name: string, price: string): string {
  const prices = pricesIn(text)
  const amount = Number(price)
  if (price !== '' && amount > 0 && amount <= 1_000_000)
    prices.set(name.toLowerCase(), `${Math.round(amount * 100) / 100}`)
  else prices.delete(name.toLowerCase())
  return [...prices].map((pair) => pair.join(':')).join()
}
