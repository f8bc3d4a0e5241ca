import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCommandSeal } from '../../../../main/platform/settings/command-seal.ts'
import { openInstallationKey } from '../../../../main/platform/settings/installation-key.ts'
import { valueIn } from '../../../fixtures/clusters/results.ts'

const WISH = {
  name: 'run-1-cmp-1-1',
  runId: 'run-1',
  cluster: 'lab',
  node: 'cmp-1',
  command: './patch.sh',
  directory: '/srv',
}
const PLACE = { machine: 'laptop', machineId: 'machine-1', dataDirectory: '/home/eva/lockkeeper' }

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-seal-'))
  for (const folder of ['a', 'b']) mkdirSync(join(directory, folder))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const seals = (folder = 'a', place = PLACE) =>
  createCommandSeal(valueIn(openInstallationKey(join(directory, folder))), place)

test('holds for what was confirmed, at a later start of this installation too', () => {
  const seal = seals().seal(WISH)
  expect(seals().holds({ ...WISH, seal })).toBe(true)
})

test.each([
  { runId: 'run-2' },
  { cluster: 'east' },
  { node: 'cmp-2' },
  { command: './patch.sh --all' },
  { directory: '/tmp' },
  { seal: '' },
])('does not hold for anything else: %j', change => {
  const seal = seals().seal(WISH)
  expect(seals().holds({ ...WISH, seal, ...change })).toBe(false)
})

test.each([{ machine: 'bastion' }, { machineId: 'machine-2' }, { dataDirectory: '/home/eva/copied' }])(
  'does not hold where the data directory was copied with its key: %j',
  elsewhere => {
    const seal = seals().seal(WISH)
    expect(seals('a', { ...PLACE, ...elsewhere }).holds({ ...WISH, seal })).toBe(false)
  },
)

test('of another installation does not hold, and without a key none does', () => {
  const seal = seals('b').seal(WISH)
  expect(seals('a').holds({ ...WISH, seal })).toBe(false)
  const keyless = createCommandSeal(null, PLACE)
  expect(keyless.holds({ ...WISH, seal: keyless.seal(WISH) })).toBe(false)
})
