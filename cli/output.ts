import { Option } from 'commander'

export interface JsonOption {
  json?: boolean
}

export const jsonOption = new Option('--json', 'print the result as JSON')

/** Prints the result of a command: as JSON with --json, otherwise as text. */
export function print({ json }: JsonOption, result: object, text: string): void {
  console.log(json ? JSON.stringify(result) : text)
}
