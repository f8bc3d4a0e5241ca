import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { createFailingDisk, failingDiskLibrary, startOverFailingDisk } from '../../fixtures/failing-disk.ts'

const library = failingDiskLibrary()
const missing = 'missing' in library ? library.missing : ''

/** Some writes of a run, each failing in these ways; test/faults/sweep.ts tries all. */
async function sweep(
  kinds: string,
  every: number,
  program = 'journal-sweep.ts',
  begin = 3,
): Promise<readonly string[]> {
  const disk = createFailingDisk()
  try {
    const words = [join(import.meta.dirname, '../../faults', program), kinds, String(every), String(begin)]
    const child = startOverFailingDisk(disk, words, { stdio: ['ignore', 'pipe', 'inherit'] })
    const said = child.stdout === null ? '' : text(child.stdout)
    expect(await once(child, 'close')).toEqual([0, null])
    return (await said).trim().split('\n')
  } finally {
    disk.close()
  }
}

describe.skipIf(missing !== '')(`a run whose disk fails at a write ${missing}`, () => {
  test.each([
    ['is full from then on', 'full', 9, 'left'],
    ['takes nothing more', 'from-ENOSPC', 29, 'left'],
    ['breaks for one write', 'once-EIO', 13, 'left'],
    ['breaks for good', 'from-EIO', 29, 'left'],
    ['writes half', 'short', 29, 'done'],
    ['loses its power: nothing more reaches it', 'freeze', 13, 'left'],
  ])(
    'because it %s: when it works again the journal opens, nothing that was reported as written is lost, and the run resumes',
    async (_, kind, every, rest) => {
      const lines = await sweep(kind, every)
      expect(lines.slice(0, -1)).toEqual([])
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ rests: { [kind]: { [rest]: expect.any(Number) } } })
    },
  )

  test('because it is killed: the next process opens the journal, nothing is lost, and the run resumes', async () => {
    // The nineteenth is the first page of a new journal: cut in half, only SQLite's rollback journal says that there was none.
    const lines = await sweep('kill,kill-half', 97, 'journal-sweep.ts', 19)
    expect(lines.slice(0, -1)).toEqual([])
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ rests: { kill: { killed: expect.any(Number) } } })
  })
})

describe.skipIf(missing !== '')(
  `an older journal that is brought up, an import, a copy and retention ${missing}`,
  () => {
    test.each([
      ['is full', 'full', 23],
      ['breaks for good', 'from-EIO', 23],
      ['is left by a process that is killed', 'kill', 41],
    ])('whose disk %s: no event is lost, half a copy has no name, and it is done once more', async (_, kind, every) => {
      const lines = await sweep(kind, every, 'care-sweep.ts')
      expect(lines.filter(line => line.includes('"wrong"'))).toEqual([])
      expect(lines.map(line => JSON.parse(line).care)).toContain('prune')
    })
  },
)
