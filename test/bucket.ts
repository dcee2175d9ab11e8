import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32, deflateRawSync } from 'node:zlib'

/** The columns of the files of gpuhunt. */
const heading =
  'instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,gpu_vendor,flags,cpu_arch,provider_data'

export interface CloudRow {
  instance: string
  location?: string
  price: number | string
  gpus?: number
  gpu?: string
  memory?: number | string
  spot?: boolean
  flags?: string
}

/** A file as gpuhunt writes it, with an instance that has no GPU in it. */
export const catalogCsv = (rows: readonly CloudRow[]): string =>
  [
    heading,
    'm5.large,us-east-1,0.096,2,8.0,0,,,False,,,,x86,{}',
    ...rows.map(({ instance, location = 'us-east-1', price, gpus = 1, gpu = 'L4', memory = 24, ...row }) =>
      [
        instance,
        location,
        price,
        8,
        '32.0',
        gpus,
        gpu,
        memory,
        row.spot ? 'True' : 'False',
        '',
        'nvidia',
        row.flags ?? '',
        'x86',
        '"{""zone"": ""a""}"',
      ].join(),
    ),
    '',
  ].join('\r\n')

/** A zip of members by their names. */
export function zipOf(members: Record<string, string | Buffer>): Buffer {
  const [files, directory]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const [name, content] of Object.entries(members)) {
    const [data, path] = [Buffer.from(content), Buffer.from(name)]
    const packed = deflateRawSync(data)
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(8, 4)
    shared.writeUInt32LE(crc32(data), 10)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(data.length, 18)
    shared.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, path, packed])
    const end = Buffer.alloc(14)
    end.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), shared, end, path]))
    files.push(local)
    offset += local.length
  }
  const entries = Buffer.concat(directory)
  const tail = Buffer.alloc(22)
  tail.write('PK\x05\x06', 'latin1')
  tail.writeUInt16LE(files.length, 8)
  tail.writeUInt16LE(files.length, 10)
  tail.writeUInt32LE(entries.length, 12)
  tail.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, entries, tail])
}

/** A server that answers as the bucket of gpuhunt does. */
export async function openBucket() {
  const bucket = {
    url: '',
    /** The zip of each provider; one that is missing is a 403, as of S3. */
    zips: {} as Record<string, Buffer>,
    /** Replaced answers, by provider. */
    faults: {} as Record<string, (response: ServerResponse) => void>,
    requests: [] as { path: string; status: number }[],
    close: () => server.close(),
  }
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const [, provider = ''] = /^\/v3\/(\w+)\/latest\/catalog\.zip$/.exec(path) ?? []
    response.on('finish', () => bucket.requests.push({ path, status: response.statusCode }))
    const [zip, fault] = [bucket.zips[provider], bucket.faults[provider]]
    if (fault) return fault(response)
    if (!zip) return response.writeHead(403, { 'content-type': 'application/xml' }).end('<Error/>')
    const etag = `"${createHash('md5').update(zip).digest('hex')}"`
    if (request.headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end()
    return response.writeHead(200, { etag, 'content-type': 'application/zip' }).end(zip)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  bucket.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return bucket
}
