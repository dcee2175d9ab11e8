export function MarketPage() {
  return <main id="content" />
}
