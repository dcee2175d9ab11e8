// Moves the clock of a Node process, for tests in a browser and for tools/clock-sweep.mjs. Node loads it before anything else (--import).
import { subscribe } from 'node:diagnostics_channel'
import { moveDate } from './move-date.mjs'

const { VITEST, TEST_CLOCK_AT, TEST_CLOCK_MOVED } = process.env
// A worker of the tests begins at the instant. The processes that it starts have its clock (test/process.ts).
if (VITEST !== undefined && TEST_CLOCK_AT !== undefined && TEST_CLOCK_MOVED === undefined)
  process.env.TEST_CLOCK_MOVED = String(Math.round(Number(TEST_CLOCK_AT) - Date.now() / 1000))
if (process.env.TEST_CLOCK_MOVED !== undefined) {
  moveDate(Number(process.env.TEST_CLOCK_MOVED))
  // Node writes the header Date by a clock of its own.
  subscribe('http.server.request.start', ({ response }) =>
    response.setHeader('date', new Date().toUTCString()),
  )
}
