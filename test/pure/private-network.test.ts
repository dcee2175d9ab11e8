import { describe, expect, it } from 'vitest'
import { hasPrivateHost, isPrivate } from '../../platform/security/private-network.ts'

const privateHosts = [
  // names
  'localhost',
  'LOCALHOST',
  'localhost.',
  'foo.localhost',
  'foo.localhost.',
  'localhost.localdomain',
  'ip6-localhost',
  'postgres',
  'postgres.',
  'printer.local',
  'printer.local.',
  'router.home.arpa',
  'metadata.google.internal',
  'metadata.google.internal.',
  'db.internal',
  '%6c%6fcalhost',
  'ｌｏｃａｌｈｏｓｔ',
  'example..com',
  'example.com..',
  // IPv4
  '127.0.0.1',
  '127.0.0.1.',
  '127.0.0.1..',
  '127.1',
  '127.255.255.254',
  '127.0.1',
  '2130706433',
  '2130706433.',
  '0x7f000001',
  '0x7f.1',
  '0x7F.0x0.0x0.0x1',
  '0177.0.0.1',
  '0177.1',
  '017700000001',
  '①②⑦.0.0.1',
  '127%2e0%2e0%2e1',
  '127。0。0。1',
  '0',
  '0.0.0.0',
  '10.0.0.1',
  '0xa.0.0.1',
  '012.0.0.1',
  '167772161',
  '100.64.0.1',
  '100.127.255.255',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '3232235521',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '255.255.255.255',
  // IPv6
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::2]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[::192.168.1.1]',
  '[::ffff:127.0.0.1]',
  '[::FFFF:7F00:1]',
  '[::ffff:10.0.0.1]',
  '[0:0:0:0:0:ffff:a9fe:a9fe]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::1]',
  '[64:ff9b:1:ffff::10.0.0.1]',
  '[100::1]',
  '[2001::1]',
  '[2001:0:7f00:1::]',
  '[2001:db8::1]',
  '[2002:7f00:1::]',
  '[2002:a00:1::1]',
  '[2002:c0a8:101::]',
  '[3fff::1]',
  '[5f00::1]',
  '[fc00::1]',
  '[fd00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[febf::1]',
  '[fec0::1]',
  '[feff::1]',
  '[ff02::1]',
]
const publicHosts = [
  'example.com',
  'example.com.',
  's3.eu-central-1.amazonaws.com',
  'localhost.example.com',
  'internal.example.com',
  'xn--bcher-kva.example',
  '8.8.8.8',
  '8.8.8.8.',
  '134744072',
  '1.1.1.1',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.0.1',
  '223.255.255.255',
  '[2606:4700:4700::1111]',
  '[2a00:1450:4001:829::200e]',
  '[2001:4860:4860::8888]',
  '[2003::1]',
]

describe('the host of a cloud', () => {
  it('has at least 60 private forms in this table', () => {
    expect(new Set(privateHosts).size).toBeGreaterThanOrEqual(60)
  })

  it.each(privateHosts)('%s is private', (host) => {
    expect(hasPrivateHost(`http://${host}/`)).toBe(true)
    expect(hasPrivateHost(`https://${host}:8443/path?query`)).toBe(true)
  })

  it.each(publicHosts)('%s is public', (host) => {
    expect(hasPrivateHost(`https://${host}/`)).toBe(false)
  })
})

describe('an address that a name resolved to', () => {
  it.each([
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '::10.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b:1::a00:1',
    '2002:a00:1::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'fd00::1',
  ])('%s is private', (address) => {
    expect(isPrivate(address)).toBe(true)
  })

  it.each(['8.8.8.8', '2606:4700:4700::1111', 'example.com'])('%s is not', (address) => {
    expect(isPrivate(address)).toBe(false)
  })
})
