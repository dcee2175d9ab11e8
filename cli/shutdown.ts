/**
 * Resolves when `close` has finished after the first Ctrl-C or SIGTERM. A second signal, or a `close` that takes longer than `deadlineMs`,
 * ends the process at once.
 */
export async function untilStopped(close: () => Promise<void>, deadlineMs: number): Promise<void> {
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, resolve)
  })
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130))
  console.error(`${signal}: stopping`)
  const deadline = setTimeout(() => {
    console.error(
      'The process did not stop in time and exits now. Unfinished work is repeated after the next start.',
    )
    process.exit(1)
  }, deadlineMs)
  await close()
  clearTimeout(deadline)
}
