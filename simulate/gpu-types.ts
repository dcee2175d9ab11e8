/** A GPU type of the simulated market, with rounded, typical figures. */
export interface SimulatedGpu {
  name: string
  /** MB per GPU */
  ram: number
  /** Per GPU, single precision */
  tflops: number
  /** Deep-learning score per GPU */
  dlperf: number
  /** USD per GPU-hour around which its price moves */
  price: number
  /** Relative number of machines */
  share: number
  /** GPUs per rig, drawn evenly: repeat to weight */
  rigs: readonly number[]
  /** Shares of machines */
  verified: number
  secure: number
}

const home = [1, 1, 1, 2, 2, 4, 4, 6, 8]
const server = [1, 2, 4, 8, 8, 8]
const single = [1, 1, 1, 2, 4]

type Row = [
  name: string,
  ramGb: number,
  tflops: number,
  dlperf: number,
  price: number,
  share: number,
  rigs: readonly number[],
  verified?: number,
  secure?: number,
]

const rows: readonly Row[] = [
  ['RTX 5090', 32, 109, 200, 0.42, 150, home, 0.75],
  ['RTX 4090', 24, 82, 98, 0.34, 160, home, 0.75],
  ['RTX 3090', 24, 36, 45, 0.17, 110, home, 0.7],
  ['RTX 5080', 16, 54, 84, 0.18, 24, home],
  ['RTX 5070 Ti', 16, 45, 76, 0.13, 26, home, 0.6],
  ['RTX 5070', 12, 31, 50, 0.1, 18, single, 0.6],
  ['RTX 5060 Ti', 16, 24, 38, 0.1, 30, home, 0.6],
  ['RTX 4080', 16, 49, 55, 0.2, 14, home],
  ['RTX 4080S', 16, 51, 56, 0.18, 14, home],
  ['RTX 4070S Ti', 16, 43, 52, 0.14, 16, home],
  ['RTX 4070', 12, 30, 34, 0.1, 16, home, 0.6],
  ['RTX 4060 Ti', 16, 22, 23, 0.11, 22, home, 0.6],
  ['RTX 3090 Ti', 24, 36.5, 46, 0.18, 8, single],
  ['RTX 3080', 10, 30, 27, 0.08, 22, home, 0.55, 0.05],
  ['RTX 3070', 8, 20, 17, 0.06, 26, home, 0.5, 0.03],
  ['RTX 3060', 12, 12.5, 12.5, 0.055, 60, home, 0.55, 0.03],
  ['RTX A6000', 48, 36, 55, 0.38, 16, server, 0.8, 0.5],
  ['RTX A5000', 24, 27.5, 35, 0.19, 18, server, 0.75, 0.4],
  ['RTX A4000', 16, 20.5, 21.5, 0.1, 18, server, 0.75, 0.4],
  ['RTX 6000Ada', 48, 81, 117, 0.54, 14, server, 0.8, 0.6],
  ['RTX PRO 6000 WS', 96, 119, 283, 0.95, 20, server, 0.8, 0.5],
  ['A40', 48, 30, 44, 0.3, 10, server, 0.85, 0.7],
  ['L40S', 48, 73, 95, 0.6, 14, server, 0.85, 0.7],
  ['L40', 48, 72, 93, 0.48, 5, server, 0.85, 0.7],
  ['L4', 24, 24, 25.5, 0.3, 6, server, 0.85, 0.8],
  ['A10', 24, 25, 30, 0.18, 5, server, 0.85, 0.7],
  ['A100 PCIE', 80, 15.6, 127, 0.75, 12, server, 0.85, 0.7],
  ['A100 SXM4', 80, 15.6, 131, 0.95, 22, [4, 8, 8, 8], 0.9, 0.8],
  ['H100 NVL', 94, 51, 377, 1.95, 6, server, 0.9, 0.85],
  ['H100 SXM', 80, 53.5, 353, 1.85, 26, [1, 2, 4, 8, 8, 8, 8], 0.9, 0.85],
  ['H200', 141, 53.5, 490, 2.6, 18, [1, 2, 4, 8, 8, 8, 8], 0.95, 0.9],
  ['B200', 180, 59.5, 589, 3.2, 7, [1, 8, 8, 8], 0.95, 0.95],
  ['Tesla V100', 32, 12.5, 25.5, 0.14, 14, server, 0.7, 0.3],
  ['Tesla T4', 16, 6.5, 4.2, 0.13, 6, server, 0.7, 0.5],
  ['Titan V', 12, 15.5, 21.5, 0.09, 1, single, 0.3, 0],
]

export const catalog: readonly SimulatedGpu[] = rows.map(
  ([name, ramGb, tflops, dlperf, price, share, rigs, verified = 0.7, secure = 0.15]) => ({
    name,
    ram: ramGb * 1024,
    tflops,
    dlperf,
    price,
    share,
    rigs,
    verified,
    secure,
  }),
)
