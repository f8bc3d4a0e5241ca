import { expect, test } from 'vitest'
import { waitForCeph } from '../../../../main/procedures/steps/storage/storage-wait.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { found } from '../../../../shared/words/step-texts.ts'
import { storageWorld } from '../../../fixtures/procedures/storage-world.ts'

/** What a reading of Ceph finds, and how long the step waited because Ceph did not answer. */
interface Look {
  readonly missing: readonly number[] | null
  readonly outageMs: number
}

const NOT_YET: Look = { missing: [1], outageMs: 0 }

test.each<[string, readonly Look[], string]>([
  [
    '50 s of waiting, an outage of 30 s, then well',
    [...looks(50), { ...NOT_YET, outageMs: 30_000 }, { missing: null, outageMs: 0 }],
    'over',
  ],
  [
    '50 s of waiting, an outage of 30 s, and 10 s more',
    [...looks(50), { ...NOT_YET, outageMs: 30_000 }, ...looks(10)],
    'late',
  ],
  ['60 s of waiting', looks(61), 'late'],
])('the limit is for the awaited state, not for Ceph’s answer: of 60 s, %s', async (_, looked, end) => {
  const ctx = storageWorld('rook').context()
  const left = [...looked]
  const missing = async () => {
    const look = left.shift() ?? NOT_YET
    await ctx.clock.sleep(look.outageMs)
    return ok(look.missing)
  }
  const wait = { subject: 'node/st-1', everyMs: 1_000, limitMs: 60_000, missing, words: osdsToComeUp }
  expect((await waitForCeph(wait, ctx)).kind).toBe(end)
})

function osdsToComeUp(osds: readonly number[]) {
  return found('OsdsToComeUp', { osds })
}

/** The given number of readings, a second apart. */
function looks(seconds: number): readonly Look[] {
  return Array.from({ length: seconds }, () => NOT_YET)
}
