export function SqlPage() {
  return <main id="content" />
}
