// A thread that converts SVG to PNG: it takes a tenth of a second of CPU time, which must not delay requests. Fonts of the
// machine are not read, so a picture is the same everywhere.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { initWasm, Resvg } from '@resvg/resvg-wasm'

const { resolve } = createRequire(import.meta.url)
const font = readFileSync(resolve('#dist/fonts/DejaVuSans.ttf'))
const loaded = initWasm(readFileSync(resolve('@resvg/resvg-wasm/index_bg.wasm')))

parentPort?.on('message', async (svg: string) => {
  await loaded
  const drawing = new Resvg(svg, { font: { fontBuffers: [font], defaultFontFamily: 'DejaVu Sans' } })
  const image = drawing.render()
  parentPort?.postMessage(image.asPng())
  image.free()
  drawing.free()
})
