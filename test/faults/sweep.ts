import { once } from 'node:events'
import { join } from 'node:path'
import { createFailingDisk, startOverFailingDisk } from '../fixtures/failing-disk.ts'

/**
 * `npm run sweep:disk`: every write of a whole run of the engine over a real journal, each failing in every way; and every write of the care of a journal as
 * a whole (older ones brought up, import, export, retention). Prints violations and the number of tries; exits with 1 after a violation.
 * Arguments: the faults (else all), the distance of the tested writes (else 1), `run` or `care` (else both).
 */
const ALL = 'full,from-ENOSPC,once-ENOSPC,from-EIO,once-EIO,short,freeze,kill,kill-half'
const OF_CARE = ['full', 'from-EIO', 'kill', 'kill-half']
const [kinds = ALL, every = '1', what = 'run,care'] = process.argv.slice(2)
const programs = [
  ['run', 'journal-sweep.ts', kinds],
  [
    'care',
    'care-sweep.ts',
    kinds
      .split(',')
      .filter(kind => OF_CARE.includes(kind))
      .join(','),
  ],
] as const
const disk = createFailingDisk()
let wrong = false
try {
  for (const [of, program, faults] of programs) {
    if (!what.split(',').includes(of) || faults === '') continue
    const words = [join(import.meta.dirname, program), faults, every]
    const child = startOverFailingDisk(disk, words, { stdio: ['ignore', 'pipe', 'inherit'] })
    child.stdout?.setEncoding('utf8').on('data', (said: string) => {
      process.stdout.write(said)
      wrong ||= said.includes('"wrong"')
    })
    const [code] = await once(child, 'close')
    wrong ||= code !== 0
  }
  process.exitCode = wrong ? 1 : 0
} finally {
  disk.close()
}
