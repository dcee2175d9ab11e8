import { z } from 'zod'
import { dataProblem, keyTypes } from './key-data.ts'

/**
 * One line in OpenSSH format: type, base64, comment. It is written into authorized_keys, so it is checked strictly: a damaged key
 * would lock its owner out. The answer has one space between the parts, so equal keys are equal texts.
 */
export const publicKey = z
  .string()
  .max(16_384)
  .transform((text, { issues }) => {
    const line = text.replace(/^[ \t\r\n]+/, '').replace(/[ \t\r\n]+$/, '')
    const [, type = '', base64 = '', comment = ''] =
      /^([^ \t]+)(?:[ \t]+([^ \t]+))?(?:[ \t]+(.*))?$/s.exec(line) ?? []
    const problem = lineProblem(line) ?? typeProblem(type) ?? dataProblem(type, base64)
    if (problem) issues.push({ code: 'custom', message: problem, input: text })
    return `${type} ${base64} ${comment}`.trimEnd()
  })

/** The problem of a line as a whole; undefined: none. */
function lineProblem(line: string): string | undefined {
  if (line === '') return 'must be an SSH public key: ssh-ed25519 AAAA… comment'
  if (/^-----BEGIN .*PRIVATE KEY/.test(line))
    return 'must be the public key. This is the private key, which nobody else may know: send the file that ends in .pub'
  if (/^---- ?-?BEGIN /.test(line)) return 'must be one line: ssh-keygen -i -f FILE converts this format'
  if (/[\r\n]/.test(line)) return 'must be one line with one key'
  return /[^\P{Cc}\t]/u.test(line) ? 'must not have control characters' : undefined
}

/** The problem of the first word of a line; undefined: none. */
function typeProblem(type: string): string | undefined {
  if (keyTypes.includes(type)) return undefined
  if (/-cert-v\d\d@openssh\.com$/.test(type)) return 'must be a key: servers do not accept a certificate here'
  if (type === 'ssh-dss') return 'must not be a DSA key: servers refuse those'
  return `must begin with the type of the key, without options before it. The types are ${keyTypes.join(', ')}`
}
