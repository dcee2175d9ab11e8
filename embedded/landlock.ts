import { closeSync, existsSync, fstatSync, openSync } from 'node:fs'
import { DataType, load } from 'ffi-rs'

// Numbers of system calls (linux/landlock.h). They are the same on every architecture.
const createRuleset = 444
const addRule = 445
const restrictSelf = 446
const versionFlag = 1
const pathBeneath = 1
const netPort = 2
const noNewPrivileges = 38 // prctl

const read = 0b1100 // read files, list directories
const ofFiles = 0b100_0000_0000_0111 // execute, write, read, truncate
const append = 0b100_0001_0010_0010 // write, truncate, make and remove files
const everything = [0x1fff, 0x3fff, 0x7fff, 0x7fff, 0xffff] // by version, from 1
const connectTcp = 0b10 // from version 4

/** Files, folders with their content, and TCP ports that a process may still access. Paths that do not exist are left out. */
export interface Allowed {
  writable: string[]
  /** Paths that may be written, not read. */
  appendable: string[]
  readable: string[]
  connects: number[]
}

/**
 * Denies this thread, and all threads and processes that it starts from now on, every other file and, where the kernel supports
 * it, every other outgoing TCP connection. It cannot be undone. Returns false without Landlock (not Linux, or an older kernel).
 */
export function restrictFiles({ writable, appendable, readable, connects }: Allowed): boolean {
  if (process.platform !== 'linux') return false
  const version = syscall(createRuleset, 0, 0, versionFlag)
  if (version < 1) return false
  const handled = everything[Math.min(version, everything.length) - 1] ?? 0
  const attributes = Buffer.alloc(version >= 4 ? 16 : 8)
  attributes.writeBigUInt64LE(BigInt(handled))
  if (version >= 4) attributes.writeBigUInt64LE(BigInt(connectTcp), 8)
  const ruleset = syscall(createRuleset, attributes, attributes.length, 0)
  if (ruleset < 0) return false
  const allow = (path: string, access: number): boolean => {
    if (!existsSync(path)) return true
    const fd = openSync(path, 'r')
    const isFolder = fstatSync(fd).isDirectory()
    const rule = Buffer.alloc(12)
    rule.writeBigUInt64LE(BigInt(access & handled & (isFolder ? ~0 : ofFiles)))
    rule.writeInt32LE(fd, 8)
    const isAdded = syscall(addRule, ruleset, pathBeneath, rule, 0) === 0
    // A file of /proc stays the same one only while it is open.
    if (isFolder) closeSync(fd)
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
    ...appendable.map((folder) => allow(folder, append)),
    ...readable.map((folder) => allow(folder, read)),
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
