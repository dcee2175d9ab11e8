const barWidth = 30

/** Shows progress from 0 to 1 on stderr: a bar on a terminal, else a line for each 10 %. */
export function reportProgress(what: string): (share: number) => void {
  let shown = -1
  return (share) => {
    const percent = Math.floor(share * 100)
    if (process.stderr.isTTY) {
      const full = Math.round(share * barWidth)
      const bar = '█'.repeat(full) + '·'.repeat(barWidth - full)
      process.stderr.write(`\r  ${what} ${bar} ${String(percent).padStart(3)} %${share >= 1 ? '\n' : ''}`)
    } else if (Math.floor(percent / 10) > shown) {
      shown = Math.floor(percent / 10)
      console.error(`${what}: ${percent} %`)
    }
  }
}
