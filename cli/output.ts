import { Option } from 'commander'

export interface JsonOption {
  json?: boolean
}

export const jsonOption = new Option('--json', 'print the result as JSON')

/** Lines of what a server's history lacks, by name with the reason. */
export const leftOutNames = (leftOut: Record<string, string>): string[] =>
  Object.entries(leftOut).map(([name, reason]) => `  Left out: ${name}: ${reason}`)

/** Prints the result of a command: as JSON with --json, otherwise as text. */
export function print({ json }: JsonOption, result: object, text: string): void {
  console.log(json ? JSON.stringify(result) : text)
}
