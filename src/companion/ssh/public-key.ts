import { z } from 'zod'

const types = [
  'ssh-ed25519',
  'ssh-rsa',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'sk-ssh-ed25519@openssh.com',
  'sk-ecdsa-sha2-nistp256@openssh.com',
]

/** One line in OpenSSH format (RFC 4253, section 6.6): type, base64, comment. It is written into authorized_keys, so it is checked strictly. */
export const publicKey = z
  .string()
  .trim()
  .max(16_384)
  .refine(isPublicKey, { error: 'must be an SSH public key: ssh-ed25519 AAAA… comment' })

function isPublicKey(line: string): boolean {
  const [, type = '', base64 = ''] = /^(\S+) ([A-Za-z0-9+/]+={0,2})( [\x20-\x7e]*)?$/.exec(line) ?? []
  if (!types.includes(type)) return false
  // The decoded key begins with the length of its type, and the type.
  const blob = Buffer.from(base64, 'base64')
  return (
    blob.length > 4 + type.length &&
    blob.readUInt32BE(0) === type.length &&
    blob.subarray(4, 4 + type.length).toString() === type
  )
}
