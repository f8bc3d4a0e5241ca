import { once } from 'node:events'
import { join } from 'node:path'
import { createFailingDisk, startOverFailingDisk } from '../fixtures/failing-disk.ts'

/**
 * `npm run sweep:disk`: every write of a whole run of the engine over a real journal, each failing in every way. Says what does not hold and how many
 * were tried; ends with 1 when anything did not hold. Words: the faults (else all), every how many-th write (else each).
 */
const [kinds = 'full,from-ENOSPC,once-ENOSPC,from-EIO,once-EIO,short,freeze,kill,kill-half', every = '1'] =
  process.argv.slice(2)
const disk = createFailingDisk()
let wrong = false
try {
  const words = [join(import.meta.dirname, 'journal-sweep.ts'), kinds, every]
  const child = startOverFailingDisk(disk, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout?.setEncoding('utf8').on('data', (said: string) => {
    process.stdout.write(said)
    wrong ||= said.includes('"wrong"')
  })
  const [code] = await once(child, 'close')
  process.exitCode = code === 0 && !wrong ? 0 : 1
} finally {
  disk.close()
}
