import { Option } from 'commander'
import { seconds } from './option-values.ts'
import type { JsonOption } from './output.ts'

/** Options of a command that works on a part of the series. */
export interface RangeOptions extends JsonOption {
  from?: number
  to?: number
}

export const fromOption = new Option('--from <time>', 'unix seconds (default: the first slot)').argParser(
  seconds,
)
export const toOption = new Option('--to <time>', 'unix seconds (default: the last slot)').argParser(seconds)
