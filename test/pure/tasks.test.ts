import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { tasksFor } from '../pages/tasks.ts'

it('docs/charts.md states how many steps each task takes', () => {
  const stated = readFileSync(new URL('../../docs/charts.md', import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
  for (const { title, most } of tasksFor([])) {
    const row = stated.find(([, cell]) => cell === title)
    expect(row?.slice(-4, -1), title).toEqual([most.mouse, most.keyboard, most.phone].map(String))
  }
})
