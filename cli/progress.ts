const barWidth = 30

const longMs = 3000

/** Shows progress as reportProgress does, once the work has taken three seconds. */
export function reportLongProgress(what: string): (share: number) => void {
  const report = reportProgress(what)
  let latest = 0
  let isLong = false
  const timer = setTimeout(() => {
    isLong = true
    report(latest)
  }, longMs).unref()
  return (share) => {
    latest = share
    if (isLong) report(share)
    else if (share >= 1) clearTimeout(timer)
  }
}

/** Shows progress from 0 to 1 on stderr: a bar on a terminal, otherwise a line for each 10 %. */
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
