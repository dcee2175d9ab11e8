import { afterAll } from 'vitest'
import { openOperations } from '../../operations.ts'
import { anyTextAnywhere } from '../../properties/any-text.ts'

const opened = await openOperations()
afterAll(() => opened.server.close())

anyTextAnywhere(opened, {
  inputs: Number(process.env.TEXT_INPUTS ?? 10_000),
  seed: Number(process.env.SEED ?? Date.now() % 1_000_000),
})
