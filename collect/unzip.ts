import { fromBufferPromise } from 'yauzl'
import { toError } from '../contract/failure.ts'
import { SourceError } from './source-error.ts'

/** A catalog of 40,000 offers has some MB, packed less than one. */
const mostUnpacked = 256 * 1024 * 1024
const mostMembers = 8
/** Deflate packs text 5 to 40 times. */
const mostRatio = 200

/**
 * The one member `name` of a zip. Throws SourceError for any other zip before a byte is unpacked, except for damage that only
 * unpacking shows. The library refuses names with `..` or a drive, and a member that is larger than declared.
 */
export async function memberOf(zip: Buffer, name: string): Promise<AsyncIterable<Buffer>> {
  if (zip.subarray(0, 2).toString('latin1') !== 'PK')
    throw new SourceError(`It is not a zip file. It begins with: ${zip.subarray(0, 40).toString('utf8')}`)
  const archive = await fromBufferPromise(zip).catch(refuse)
  if (archive.entryCount > mostMembers)
    throw new SourceError(`The zip has ${archive.entryCount} members, more than the ${mostMembers} allowed.`)
  const members = []
  try {
    for await (const member of archive.eachEntry()) members.push(member)
  } catch (error) {
    refuse(error)
  }
  const outside = members.find(({ fileName }) => fileName.includes('/'))
  if (outside) throw new SourceError(`The zip has a member with a path: ${outside.fileName}`)
  const [member, twice] = members.filter(({ fileName }) => fileName === name)
  if (!member || twice)
    throw new SourceError(
      `The zip must have exactly one member ${name}. It has: ${members.map(({ fileName }) => fileName).join(', ')}`,
    )
  const { compressedSize, uncompressedSize } = member
  if (uncompressedSize > mostUnpacked || uncompressedSize > Math.max(compressedSize, 1) * mostRatio)
    throw new SourceError(`${name} would unpack to ${uncompressedSize} bytes from ${compressedSize}.`)
  const stream = await archive.openReadStreamPromise(member).catch(refuse)
  return checked(stream as AsyncIterable<Buffer>)
}

async function* checked(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* bytes
  } catch (error) {
    refuse(error)
  }
}

function refuse(error: unknown): never {
  throw new SourceError(`The zip is damaged: ${toError(error).message}`, { cause: error })
}
