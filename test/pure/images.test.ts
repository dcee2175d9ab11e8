import { expect, it } from 'vitest'
import { imageOf } from '../containers.ts'

it('the compose file names the images of the test engines', () => {
  expect(['postgres', 'clickhouse', 'valkey'].map(imageOf)).toEqual([
    expect.stringMatching(/^postgres:\d/),
    expect.stringMatching(/^clickhouse\/clickhouse-server:\d/),
    expect.stringMatching(/^valkey\/valkey:\d/),
  ])
  expect(() => imageOf('nothing')).toThrow('names no image')
})
