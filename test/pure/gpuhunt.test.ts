import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../cli/system-clock.ts'
import { openCatalog } from '../../collect/catalog.ts'
import { readOffers } from '../../import/skypilot.ts'
import { UsageError } from '../../platform/usage-error.ts'
import { catalogCsv, openBucket, zipOf } from '../bucket.ts'

let bucket: Awaited<ReturnType<typeof openBucket>>
beforeAll(async () => {
  bucket = await openBucket()
})
afterAll(() => bucket.close())
beforeEach(() => Object.assign(bucket, { zips: {}, faults: {}, requests: [] }))

const read = (validators?: { etag?: string | undefined }) =>
  openCatalog(`gpuhunt=${bucket.url}/`, undefined).read('aws', {
    clock: systemClock,
    validators,
    signal: AbortSignal.timeout(20_000),
  })
const serve = (csv: string | Buffer, name = 'aws.csv') => {
  bucket.zips.aws = zipOf({ [name]: csv })
}

describe('a catalog of gpuhunt', () => {
  it('has offers with GPUs, and their prices for the whole instance', async () => {
    serve(
      catalogCsv([
        { instance: 'g6.xlarge', price: 0.8048 },
        { instance: 'p4d.24xlarge', price: 32.77, gpus: 8, gpu: 'A100', memory: '40.0', spot: true },
        { instance: 'g4-preview', price: 0, flags: 'gcp-g4-preview' },
      ]),
    )
    const { offers, leftOut, validators } = (await read()) ?? {}
    expect(offers).toEqual([
      {
        instance_name: 'g6.xlarge',
        region: 'us-east-1',
        listed_name: 'L4',
        memory: 24,
        gpus: 1,
        spot: false,
        usd: 0.8048,
      },
      {
        instance_name: 'p4d.24xlarge',
        region: 'us-east-1',
        listed_name: 'A100',
        memory: 40,
        gpus: 8,
        spot: true,
        usd: 32.77,
      },
    ])
    expect(leftOut).toEqual({ 'a preview without a price': 1 })
    expect(await read(validators)).toBeUndefined()
    expect(bucket.requests.map(({ status }) => status)).toEqual([200, 304])
  })

  const good = { instance: 'a', price: 1 }
  it.each<[string, object, string]>([
    ['a price of 0', { price: 0 }, 'not a price'],
    ['a price below 0', { price: -1 }, 'not a price'],
    ['a million dollars', { price: 1e6 }, 'not a price'],
    ['no price', { price: '' }, 'not a price'],
    ['a price that is no number', { price: 'NaN' }, 'not a price'],
    ['a price without end', { price: 'inf' }, 'not a price'],
    ['a part of a GPU', { gpus: 0.25 }, 'not a number of whole GPUs'],
    ['GPUs below 0', { gpus: -1 }, 'not a number of whole GPUs'],
    ['more GPUs than there are', { gpus: 5000 }, 'not a number of whole GPUs'],
    ['no location', { location: '' }, 'no location'],
    ['a GPU without a name', { gpu: '' }, 'no name of the GPU'],
    ['an instance without a name', { instance: '' }, 'no name of the instance'],
    ['a name with control characters', { gpu: 'L\u00004' }, 'no name of the GPU'],
    ['memory of 0', { memory: 0 }, 'not a size of memory'],
    ['a size of memory in words', { memory: 'much' }, 'not a size of memory'],
  ])('leaves out an offer with %s, and counts it', async (_, odd, reason) => {
    serve(catalogCsv([good, { ...good, ...odd }, { ...good, instance: 'b' }]))
    const { offers = [], leftOut, leftOutRows } = (await read()) ?? {}
    expect(offers.map(({ instance_name }) => instance_name)).toEqual(['a', 'b'])
    expect(leftOut).toEqual({ [reason]: 1 })
    expect(leftOutRows).toEqual([{ line: expect.any(Number), reason }])
  })

  it.each([
    [10, 50, true],
    [11, 200, true],
    [12, 100, false],
    [20, 199, true],
    [60, 0, false],
  ])('is accepted with %i odd offers and %i others: %s', async (odd, others, isTaken) => {
    const instances = (count: number, price: number) =>
      Array.from({ length: count }, (_, index) => ({ instance: `${price}-${index}`, price }))
    serve(catalogCsv([...instances(odd, 0), ...instances(others, 1)]))
    if (isTaken) expect((await read())?.offers).toHaveLength(others)
    else
      await expect(read()).rejects.toThrow(
        `aws.csv: ${odd} of ${odd + others} offers cannot be used: line 3: not a price; line 4:`,
      )
  })

  it.each([
    ['nothing', [], 'aws.csv has no offer with a GPU.'],
    ['odd offers only', [{ ...good, price: 0 }], 'aws.csv has no offer with a GPU. line 3: not a price'],
  ])('is refused as a whole if it has %s', async (_, rows, problem) => {
    serve(catalogCsv(rows))
    await expect(read()).rejects.toThrow(problem)
  })

  it('is refused in one sentence if it is no such zip', async () => {
    const csv = catalogCsv([good])
    const refused = async (zip: Buffer, problem: string | RegExp) => {
      bucket.zips.aws = zip
      await expect(read()).rejects.toThrow(problem)
    }
    await refused(
      Buffer.from('<!doctype html><title>Welcome</title>'),
      /^It is not a zip file. It begins with: <!doctype html>/,
    )
    await refused(zipOf({ 'gcp.csv': csv }), 'The zip must have exactly one member aws.csv. It has: gcp.csv')
    await refused(
      zipOf({ 'aws.csv': csv, 'v3/aws.csv': csv }),
      'The zip has a member with a path: v3/aws.csv',
    )
    await refused(zipOf({ '../aws.csv': csv }), /^The zip is damaged: invalid relative path/)
    await refused(
      zipOf(Object.fromEntries([...'123456789'].map((name) => [name, csv]))),
      'The zip has 9 members',
    )
    await refused(zipOf({ 'aws.csv': 'a'.repeat(3_000_000) }), /^aws\.csv would unpack to 3000000 bytes/)
    await refused(
      zipOf({ 'aws.csv': 'name,price\r\na,1\r\n' }),
      /^aws\.csv cannot be read: there is no column instance_name/,
    )
    await refused(zipOf({ 'aws.csv': csv }).subarray(0, 200), /^The zip is damaged/)
    const liar = zipOf({ 'aws.csv': csv })
    liar.writeUInt32LE(50, liar.indexOf('PK\x01\x02') + 24)
    await refused(liar, /^The zip is damaged/)
  })

  it('is refused in one sentence if it cannot be read', async () => {
    await expect(read()).rejects.toThrow('The source answered with status 403.')
    bucket.faults.aws = (response) => response.writeHead(200, { 'content-length': 1000 }).end('PK').destroy()
    await expect(read()).rejects.toThrow(/^The source cannot be reached, or its answer was cut/)
    bucket.faults.aws = (response) => {
      response.writeHead(200)
      response.on('error', () => {})
      for (let mb = 0; mb < 40; mb += 1) response.write(Buffer.alloc(1 << 20, 'PK'))
    }
    await expect(read()).rejects.toThrow('The zip is larger than 32 MB.')
  })

  it('is named gpuhunt, with or without a folder', () => {
    const { name, placeOf } = openCatalog('gpuhunt', undefined)
    expect([name, placeOf('aws')]).toEqual([
      'gpuhunt',
      'https://dstack-gpu-pricing.s3.eu-west-1.amazonaws.com/v3/aws/latest/catalog.zip',
    ])
    for (const text of ['skypilot', 'gpuhunt=', 'gpuhunt=file:///etc', 'gpuhunt=somewhere'])
      expect(() => openCatalog(text, undefined)).toThrow(UsageError)
  })
})

describe('a file of skypilot', () => {
  const offersOf = (text: string) =>
    readOffers(
      (async function* () {
        yield Buffer.from(text)
      })(),
    )
  it('has columns in any order, and rows of all kinds', async () => {
    const { offers, leftOut } = await offersOf(
      [
        'InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice',
        `gpu_8x_v100,V100,8.0,92.0,448.0,4.4,asia-south-1,"{'Gpus': [{'Name': 'V100', 'MemoryInfo': {'SizeInMiB': 16384}}]}",`,
        'p3,V100,1.0,8,61,3.06,us-east-1,,0.918',
        `g6.12xlarge,L4,4.0,48.0,192.0,4.6016,us-east-1,"{'Gpus': [{'MemoryInfo': {'SizeInMiB': 91553}}]}",`,
        'a1.large,,,2,4,0.051,us-east-1,,0.0197',
        ',T4,1.0,,,0.35,us-central1,,0.11',
        'g6f,L4,0.125,2,8,0.2,us-east-1,,',
        'odd,L4,1.0,2,8,0,us-east-1,,',
        'short,L4',
        '',
      ].join('\n'),
    )
    expect(
      offers.map(({ instance_name, memory, gpus, spot, usd }) => [instance_name, memory, gpus, spot, usd]),
    ).toEqual([
      ['gpu_8x_v100', 16, 8, false, 4.4],
      ['p3', undefined, 1, false, 3.06],
      ['p3', undefined, 1, true, 0.918],
      ['g6.12xlarge', 91553 / 4096, 4, false, 4.6016],
    ])
    expect(leftOut).toEqual({
      'a GPU without its instance': 1,
      'not a number of whole GPUs': 1,
      'not a price': 1,
      '2 fields where the heading has 9': 1,
    })
    await expect(offersOf('Type,Price\na,1\n')).rejects.toThrow('there is no column InstanceType')
  })
})
