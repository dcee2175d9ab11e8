/** Waits for all works, so that none is left running when one fails. Then it throws the first failure. */
export async function together(works: readonly Promise<void>[]): Promise<void> {
  const ends = await Promise.allSettled(works)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
