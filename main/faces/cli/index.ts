// Nothing is imported before the version was looked at: an older Node fails somewhere in the middle, in words that nobody can use. What stands
// here has to be read by one, so it is plain.
const needed = 24
const version = process.versions.node

if (Number(version.split('.')[0]) < needed) {
  process.stderr.write(
    `lockkeeper: this is Node ${version}; Node ${needed} or newer is needed. Start it with bin/lockkeeper, which brings its own, or install Node ${needed}.\n`,
  )
  process.exitCode = 1
} else {
  void import('./start.ts')
}

export {}
