import { closeSync, existsSync, openSync } from 'node:fs'
import { DataType, load } from 'ffi-rs'

// linux/landlock.h. The numbers of its system calls are the same on every architecture.
const createRuleset = 444
const addRule = 445
const restrictSelf = 446
const versionFlag = 1
const pathBeneath = 1
const netPort = 2
const noNewPrivileges = 38 // prctl

const read = 0b1100 // read files, list directories
const execute = 0b1
const everything = [0x1fff, 0x3fff, 0x7fff, 0x7fff, 0xffff] // by version, from 1
const connectTcp = 0b10 // from version 4

/** Folders that a process may still reach, with all that is in them (those that don't exist are left out), and TCP ports. */
export interface Allowed {
  writable: string[]
  readable: string[]
  connects: number[]
}

/**
 * Takes from this thread, and from all threads and processes that it starts from now on, every file but these and, where the kernel knows how,
 * every other outgoing TCP connection; for good. Returns false where there is no Landlock (not Linux, or a kernel without it).
 */
export function restrictFiles({ writable, readable, connects }: Allowed): boolean {
  if (process.platform !== 'linux') return false
  const version = syscall(createRuleset, 0, 0, versionFlag)
  if (version < 1) return false
  const handled = everything[Math.min(version, everything.length) - 1] ?? 0
  const attributes = Buffer.alloc(version >= 4 ? 16 : 8)
  attributes.writeBigUInt64LE(BigInt(handled))
  if (version >= 4) attributes.writeBigUInt64LE(BigInt(connectTcp), 8)
  const ruleset = syscall(createRuleset, attributes, attributes.length, 0)
  if (ruleset < 0) return false
  const allow = (folder: string, access: number): boolean => {
    if (!existsSync(folder)) return true
    const fd = openSync(folder, 'r')
    const rule = Buffer.alloc(12)
    rule.writeBigUInt64LE(BigInt(access & handled))
    rule.writeInt32LE(fd, 8)
    const isAdded = syscall(addRule, ruleset, pathBeneath, rule, 0) === 0
    closeSync(fd)
    return isAdded
  }
  const allowPort = (port: number): boolean => {
    if (version < 4) return true
    const rule = Buffer.alloc(16)
    rule.writeBigUInt64LE(BigInt(connectTcp))
    rule.writeBigUInt64LE(BigInt(port), 8)
    return syscall(addRule, ruleset, netPort, rule, 0) === 0
  }
  const rules = [
    ...writable.map((folder) => allow(folder, handled)),
    ...readable.map((folder) => allow(folder, read | execute)),
    ...connects.map(allowPort),
  ]
  if (rules.includes(false)) return false
  load({
    library: 'c',
    funcName: 'prctl',
    retType: DataType.I32,
    paramsType: [DataType.I32, DataType.I64, DataType.I64, DataType.I64, DataType.I64],
    paramsValue: [noNewPrivileges, 1, 0, 0, 0],
  })
  return syscall(restrictSelf, ruleset, 0) === 0
}

function syscall(number: number, ...args: (number | Buffer)[]): number {
  return load({
    library: 'c',
    funcName: 'syscall',
    retType: DataType.I64,
    paramsType: [
      DataType.I64,
      ...args.map((arg) => (typeof arg === 'number' ? DataType.I64 : DataType.U8Array)),
    ],
    paramsValue: [number, ...args],
  })
}
