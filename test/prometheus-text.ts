export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

/** The samples of a text in the exposition format of Prometheus. Throws on any other line. */
export function parseSamples(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line)
      if (!match) throw new Error(`not a sample: ${line}`)
      const [, name = '', labels = '', value] = match
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"(?:,|$)/g)]
      return {
        name,
        labels: Object.fromEntries(pairs.map(([, label, text = '']) => [label, text])),
        value: Number(value),
      }
    })
}
