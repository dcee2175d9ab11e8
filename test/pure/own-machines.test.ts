import { describe, expect, it } from 'vitest'
import { type OwnMarket, openOwnMachines } from '../../src/hosts/machines/own-machines.ts'

/** The own machines of a site with some machines, and the number of queries for them. */
function openOwn(machines: number) {
  const asked = { queries: 0 }
  const site = {
    async query(name: string, [, limit, after]: number[]) {
      if (name !== 'market/own_machines') return { rows: [] }
      asked.queries += 1
      const ids = Array.from({ length: machines }, (_, index) => index + 1)
      const rows = ids.filter((id) => id > (after ?? 0)).slice(0, limit)
      return { rows: rows.map((id) => ({ id, price: 1, gpu_ram: 24_576 })) }
    },
  }
  return { own: openOwnMachines({ site } as unknown as OwnMarket), asked }
}

describe('the pages of own machines', () => {
  it.each([
    { machines: 0, pages: [0], queries: 1 },
    { machines: 1, pages: [1], queries: 1 },
    { machines: 4, pages: [2, 2], queries: 3 },
    { machines: 5, pages: [2, 2, 1], queries: 3 },
  ])('have each of $machines machines once', async ({ machines, pages, queries }) => {
    const { own, asked } = openOwn(machines)
    const ids: number[][] = []
    for await (const page of own.pages(1, 2)) ids.push(page.machines.map(({ id }) => id))
    expect(ids.map(({ length }) => length)).toEqual(pages)
    expect(new Set(ids.flat()).size).toBe(machines)
    expect(asked.queries).toBe(queries)
  })

  it('are read no further than they are needed', async () => {
    const { own, asked } = openOwn(100)
    for await (const _page of own.pages(1, 10)) if (asked.queries === 2) break
    expect(asked.queries).toBe(2)
  })
})
