import { ECDH } from 'node:crypto'

/** The parts after the type in the data of a key, as defined by RFC 4253, 5656 and 8709 and OpenSSH's PROTOCOL.u2f. */
type Part = 'modulus' | 'exponent' | 'ed25519 point' | 'curve' | 'curve point' | 'application'

interface Kind {
  /** The type named in its data. */
  type: string
  parts: readonly Part[]
  /** The curve: its name in the data, in Node, and the bytes of a point. */
  curve?: readonly [name: string, node: string, length: number]
}

const rsa: Kind = { type: 'ssh-rsa', parts: ['exponent', 'modulus'] }
const p256 = ['nistp256', 'prime256v1', 65] as const
const ecdsa = (curve: Kind['curve']): Kind => ({
  type: `ecdsa-sha2-${curve?.[0]}`,
  parts: ['curve', 'curve point'],
  ...(curve && { curve }),
})

const kinds = new Map<string, Kind>([
  ['ssh-ed25519', { type: 'ssh-ed25519', parts: ['ed25519 point'] }],
  ['ssh-rsa', rsa],
  // Names of signatures. OpenSSH reads them as the type of the key.
  ['rsa-sha2-256', rsa],
  ['rsa-sha2-512', rsa],
  ['ecdsa-sha2-nistp256', ecdsa(p256)],
  ['ecdsa-sha2-nistp384', ecdsa(['nistp384', 'secp384r1', 97])],
  ['ecdsa-sha2-nistp521', ecdsa(['nistp521', 'secp521r1', 133])],
  [
    'sk-ssh-ed25519@openssh.com',
    { type: 'sk-ssh-ed25519@openssh.com', parts: ['ed25519 point', 'application'] },
  ],
  [
    'sk-ecdsa-sha2-nistp256@openssh.com',
    {
      type: 'sk-ecdsa-sha2-nistp256@openssh.com',
      parts: ['curve', 'curve point', 'application'],
      curve: p256,
    },
  ],
])

export const keyTypes: readonly string[] = [...kinds.keys()]

const cutOff = 'must be a whole key: this one is cut off or damaged. Copy the file again'

/** The problem of a key's data; undefined: none. */
export function dataProblem(type: string, base64: string): string | undefined {
  const kind = kinds.get(type)
  if (!kind || base64 === '') return `must have the key after its type: ${type} AAAA… comment`
  const data = Buffer.from(base64, 'base64')
  // Buffer ignores characters that are not base64, and leftover bits.
  if (data.toString('base64') !== base64) return cutOff
  const fields = fieldsOf(data)
  if (!fields) return cutOff
  const [named, ...values] = fields
  if (`${named}` !== kind.type)
    return `must be of one type: it begins with ${type}, but its data is of another type`
  if (values.length !== kind.parts.length) return cutOff
  for (const [index, part] of kind.parts.entries()) {
    const problem = partProblem(part, values[index] ?? Buffer.alloc(0), kind.curve)
    if (problem) return problem
  }
  return undefined
}

/** The fields of the data, each after its length; undefined: their lengths do not match its end. */
function fieldsOf(data: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = []
  let at = 0
  while (at < data.length) {
    if (at + 4 > data.length) return undefined
    const end = at + 4 + data.readUInt32BE(at)
    if (end > data.length) return undefined
    fields.push(data.subarray(at + 4, end))
    at = end
  }
  return fields
}

/** Bits of an RSA modulus that OpenSSH accepts. */
const [leastBits, mostBits] = [1024, 16_384]

function partProblem(part: Part, value: Buffer, curve: Kind['curve']): string | undefined {
  switch (part) {
    case 'exponent':
      return isPositive(value) ? undefined : cutOff
    case 'modulus': {
      if (!isPositive(value)) return cutOff
      const bits = BigInt(`0x${value.toString('hex')}`).toString(2).length
      return bits < leastBits || bits > mostBits
        ? `must have ${leastBits} to ${mostBits} bits, but it has ${bits}`
        : undefined
    }
    case 'ed25519 point':
      return value.length === 32 ? undefined : cutOff
    case 'curve':
      return `${value}` === curve?.[0] ? undefined : cutOff
    case 'curve point':
      return curve && isOnCurve(value, curve) ? undefined : cutOff
    case 'application':
      return value.includes(0) ? cutOff : undefined
  }
}

const isPositive = (value: Buffer): boolean =>
  value.length > 0 && (value[0] ?? 0) < 0x80 && value.some((byte) => byte > 0)

function isOnCurve(point: Buffer, [, node, length]: NonNullable<Kind['curve']>): boolean {
  // OpenSSH does not read compressed points.
  if (point.length !== length || point[0] !== 4) return false
  try {
    ECDH.convertKey(point, node)
    return true
  } catch {
    return false
  }
}
