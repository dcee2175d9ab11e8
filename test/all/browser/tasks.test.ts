import { afterAll, beforeAll, describe, it } from 'vitest'
import { hasBrowser, openWeb, type Web } from '../../browser.ts'
import { doTask, ways } from '../../hands.ts'
import { type Machine, machinesOf } from '../../pages/desk.ts'
import { tasksFor } from '../../pages/tasks.ts'

describe.skipIf(!hasBrowser).each(['mouse', 'keyboard', 'phone'] as const)(
  'a task by %s takes few steps',
  (way) => {
    let web: Web
    let machines: Machine[]
    beforeAll(async () => {
      web = await openWeb()
      machines = await machinesOf(web)
    })
    afterAll(() => web?.close())

    it.each(tasksFor([]).map(({ title }) => title))('%s', async (title) => {
      const task = tasksFor(machines).find((one) => one.title === title)
      if (!task) throw new Error(`there is no task ${title}`)
      await doTask(task, way, await web.visitAsHost(task.start, ways[way]))
    })
  },
)
