import { sameName } from '../contract/gpu-names.ts'

/**
 * Board power of GPU types in W: what their manufacturers publish in product pages and data sheets (TGP, TDP or maximum power). Of a type in
 * several forms it is that of the form with the most power.
 */
const boardPower: Readonly<Record<string, number>> = {
  'RTX 5090': 575,
  'RTX 5080': 360,
  'RTX 5070 Ti': 300,
  'RTX 5070': 250,
  'RTX 5060 Ti': 180,
  'RTX 5060': 145,
  'RTX 4090': 450,
  'RTX 4080S': 320,
  'RTX 4080': 320,
  'RTX 4070S Ti': 285,
  'RTX 4070 Ti': 285,
  'RTX 4070S': 220,
  'RTX 4070': 200,
  'RTX 4060 Ti': 165,
  'RTX 4060': 115,
  'RTX 3090 Ti': 450,
  'RTX 3090': 350,
  'RTX 3080 Ti': 350,
  'RTX 3080': 320,
  'RTX 3070 Ti': 290,
  'RTX 3070': 220,
  'RTX 3060 Ti': 200,
  'RTX 3060': 170,
  'RTX 2080 Ti': 250,
  'RTX A6000': 300,
  'RTX A5000': 230,
  'RTX A4000': 140,
  'RTX 6000Ada': 300,
  'RTX PRO 6000 WS': 600,
  'RTX PRO 6000 S': 600,
  A40: 300,
  L40S: 350,
  L40: 300,
  L4: 72,
  A10: 150,
  'A100 PCIE': 300,
  'A100 SXM4': 400,
  'H100 PCIE': 350,
  'H100 NVL': 400,
  'H100 SXM': 700,
  'H200 NVL': 600,
  H200: 700,
  B200: 1000,
  'Tesla V100': 300,
  'Tesla P100': 300,
  'Tesla T4': 70,
  'Titan V': 250,
}

/**
 * The share of its board power that an idle GPU takes. Eight A100 of 400 W took 371.6 W when idle (Davy, "Building an AWS EC2 carbon emissions
 * dataset", Teads Engineering 2021).
 */
const idleShare = 371.6 / 3200

/** The power of the GPUs of a machine, without all else in it, in whole W; null: their type is not known. */
export function assumedWatts(
  gpuName: string,
  gpus: number,
): { watts_idle: number; watts_load: number } | null {
  const [, each] = Object.entries(boardPower).find(([name]) => sameName(name, gpuName)) ?? []
  if (each === undefined) return null
  return { watts_idle: Math.round(each * gpus * idleShare), watts_load: each * gpus }
}
