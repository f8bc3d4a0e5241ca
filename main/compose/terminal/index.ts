// Checks the version before it imports anything: an older Node would fail somewhere with an unclear error. So this file uses plain syntax.
const needed = 24
const version = process.versions.node

if (Number(version.split('.')[0]) < needed) {
  process.stderr.write(
    `lockkeeper needs Node ${needed} or newer; this is Node ${version}. Start bin/lockkeeper, which has its own Node, or install Node ${needed}.\n`,
  )
  process.exitCode = 1
} else {
  void import('./start.ts')
}

export {}
