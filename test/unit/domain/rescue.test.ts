import { describe, expect, test } from 'vitest'
import type { Instance, InstanceFlavor } from '../../../shared/domain/openstack.ts'
import { rescuePolicy } from '../../../shared/domain/rescue.ts'
import { rescueWords } from '../../../shared/words/rescues.ts'
import { fakeFlavor } from '../../fixtures/procedures/fake-records.ts'
import { fakeInstance } from '../../fixtures/procedures/fake-world.ts'

const FLAVOR: InstanceFlavor = fakeFlavor({ name: 'small', diskGib: 10 })
const NOTHING_SAID = { sharedDisks: '', acceptsDataLoss: false }
const ON_VOLUMES = { bootsFromVolume: true, flavor: FLAVOR }

function judged(instance: Partial<Instance>, choices = NOTHING_SAID) {
  return rescuePolicy(fakeInstance('a', 'cmp-1', instance), choices)
}

describe('what Nova evacuates', () => {
  test.each([
    ['one that runs', { status: 'ACTIVE', vmState: 'active' }],
    ['one that is stopped', { status: 'SHUTOFF', vmState: 'stopped' }],
    ['one in ERROR', { status: 'ERROR', vmState: 'error' }],
    ['one that is locked', { locked: true }],
  ])('%s, on volumes: nothing is lost', (_which, state) => {
    expect(judged({ ...ON_VOLUMES, ...state })).toMatchObject({ kind: 'evacuate', loses: false })
  })

  test.each([
    ['StatusNotEvacuated', { status: 'PAUSED', vmState: 'paused' }],
    ['StatusNotEvacuated', { status: 'SUSPENDED', vmState: 'suspended' }],
    ['StatusNotEvacuated', { status: 'VERIFY_RESIZE', vmState: 'resized' }],
    ['StatusNotEvacuated', { status: 'RESCUE', vmState: 'rescued' }],
    ['TaskMayNotEnd', { taskState: 'powering-off' }],
    ['HasVtpm', { flavor: { ...FLAVOR, extraSpecs: { 'hw:tpm_version': '2.0' } } }],
    ['StateNotTold', { partial: true }],
  ])('stays by %s, whatever is accepted: %j', (code, state) => {
    const all = { sharedDisks: 'Ceph', acceptsDataLoss: true }
    expect(judged({ ...ON_VOLUMES, ...state }, all)).toMatchObject({ kind: 'stays', because: { code } })
  })
})

describe('a disk that is not a volume', () => {
  test.each([
    ['root', { bootsFromVolume: false, flavor: FLAVOR }],
    ['root', { flavor: FLAVOR }],
    ['ephemeral', { bootsFromVolume: true, flavor: { ...FLAVOR, ephemeralGib: 5 } }],
    ['swap', { bootsFromVolume: true, flavor: { ...FLAVOR, swapMib: 512 } }],
    ['unknown', { bootsFromVolume: true, flavor: null }],
  ])('keeps it where it is until somebody answers for it: %s', (disk, instance) => {
    expect(judged(instance)).toEqual({ kind: 'stays', because: { code: 'DiskWouldBeLost', disk } })
    expect(judged(instance, { ...NOTHING_SAID, acceptsDataLoss: true })).toMatchObject({
      kind: 'evacuate',
      loses: true,
    })
    expect(judged(instance, { sharedDisks: 'Ceph', acceptsDataLoss: false })).toMatchObject({
      kind: 'evacuate',
      loses: false,
    })
  })

  test('that other hosts reach is not lost, though the loss was accepted', () => {
    const both = { sharedDisks: 'Ceph', acceptsDataLoss: true }
    expect(judged({ bootsFromVolume: false, flavor: FLAVOR }, both)).toMatchObject({ loses: false })
  })

  test('that is lost is named, with the way out', () => {
    expect(rescueWords(judged({ bootsFromVolume: false, flavor: FLAVOR }).because)).toMatch(
      /^its root disk would be lost: .*`--shared-disks`.*`--allow-data-loss`/,
    )
  })

  test('blanks answer for nothing', () => {
    expect(judged({ bootsFromVolume: false }, { sharedDisks: '  ', acceptsDataLoss: false }).kind).toBe('stays')
  })
})
