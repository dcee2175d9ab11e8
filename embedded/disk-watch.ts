// A thread that ends its process when the disk of a folder is nearly full. workerData: dir; reserveBytes, which the engine keeps free.
//
// The engine of the `chdb` package goes on when a write fails, and enters what it could not write. Below the reserve it begins no write. What it
// had begun before is ended at half of the reserve, as by a crash, which loses nothing. The process that is started next begins none.
import { statfsSync, writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

const intervalMs = 20
const { dir, reserveBytes } = workerData
const clock = new Int32Array(new SharedArrayBuffer(4))
let mayWrite = false
parentPort?.postMessage('up')
for (;;) {
  const { bavail, bsize } = statfsSync(dir)
  const free = bavail * bsize
  if (free >= reserveBytes) mayWrite = true
  else if (mayWrite && free < reserveBytes / 2) {
    writeSync(2, `disk nearly full: ${free} bytes are free, and ${reserveBytes} should be\n`)
    process.kill(process.pid, 'SIGKILL')
  }
  Atomics.wait(clock, 0, 0, intervalMs)
}
