import { spawnSync } from 'node:child_process'

const runs = (program: string, text: string) => spawnSync(program, ['-c', text]).status === 0

/** A Python of at least 3.11, with a module if one is named; undefined: this machine has none. Debian's packages are for its own. */
export const findPython = (module = 'typing'): string | undefined =>
  ['python3', '/usr/bin/python3'].find((program) =>
    runs(program, `from typing import NotRequired\nimport ${module}`),
  )
