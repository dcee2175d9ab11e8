export function MachinesPage() {
  return <main id="content" />
}
