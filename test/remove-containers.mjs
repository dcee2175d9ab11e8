// Waits until the process at the other end of stdin has ended, however it ended, and removes the containers that it left.
// argv: the value of their label rackrate.tests. Started by test/containers.ts.
import { setTimeout as pause } from 'node:timers/promises'
import { getContainerRuntimeClient } from 'testcontainers'

const [, , run] = process.argv
for await (const _ of process.stdin);

const { container } = await getContainerRuntimeClient()
const filters = { label: [`rackrate.tests=${run}`] }
// A container that was being created at the end appears a little later.
for (let emptyLooks = 0; emptyLooks < 3; await pause(1000)) {
  const left = await container.dockerode.listContainers({ all: true, filters })
  emptyLooks = left.length === 0 ? emptyLooks + 1 : 0
  for (const { Id } of left)
    await container.dockerode
      .getContainer(Id)
      .remove({ force: true, v: true })
      .catch(() => {}) // it is being removed
}
