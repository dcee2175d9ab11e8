import { typesNamed } from '../contract/gpu-types.ts'

/**
 * The share of its board power that an idle GPU draws. Eight A100 of 400 W drew 371.6 W when idle (Davy, "Building an AWS EC2 carbon
 * emissions dataset", Teads Engineering 2021).
 */
const idleShare = 371.6 / 3200

/** The power of a machine's GPUs alone, in whole W; null: the GPU type is unknown. */
export function assumedWatts(
  gpuName: string,
  gpus: number,
): { watts_idle: number; watts_load: number } | null {
  const [type, other] = typesNamed(gpuName)
  if (type?.watts === undefined || other) return null
  return { watts_idle: Math.round(type.watts * gpus * idleShare), watts_load: type.watts * gpus }
}
