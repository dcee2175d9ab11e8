// Adds the optional platform packages that the current registry lacks to package-lock.json, so that `npm ci` accepts the lock here and
// works on other platforms with a full registry. Run it after every `npm install` that changed something.
import { readFileSync, writeFileSync } from 'node:fs'

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const has = (name, word) => new RegExp(`\\b${word}\\b`).test(name)

for (const pkg of Object.values(structuredClone(lock.packages))) {
  for (const [name, range] of Object.entries(pkg.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`
    if (lock.packages[key]) continue
    const os = ['darwin', 'win32', 'linux', 'freebsd', 'android'].find((word) => has(name, word))
    const cpu = ['arm64', 'x64', 'arm', 'riscv64', 's390x', 'ppc64'].find((word) => has(name, word))
    lock.packages[key] = {
      version: range.replace(/^[\^~]/, ''),
      ...(cpu && { cpu: [cpu] }),
      optional: true,
      ...(os && { os: [os] }),
      ...(has(name, 'gnu') && { libc: ['glibc'] }),
      ...(has(name, 'musl') && { libc: ['musl'] }),
    }
    console.log('added', name)
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`)
