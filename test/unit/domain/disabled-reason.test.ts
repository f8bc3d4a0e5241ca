import { describe, expect, it } from 'vitest'
import {
  disabledReasonOf,
  disablerOf,
  isOurDisabledReason,
  typedReasonIn,
} from '../../../shared/domain/disabled-reason.ts'

describe('the reason of a disabled compute service', () => {
  it.each(['New memory: CHG-7', '  CHG-7 '])('keeps what the operator typed, %j, and is recognised as ours', typed => {
    const reason = disabledReasonOf('run-1', typed)
    expect(reason).toContain('run run-1')
    expect(isOurDisabledReason(reason)).toBe(true)
    expect(typedReasonIn(reason)).toBe(typed.trim())
  })

  it('is read unchanged where nobody typed one, or somebody else wrote it', () => {
    expect(typedReasonIn(disabledReasonOf('run-1', ''))).toBe('Lockkeeper: node under maintenance, run run-1')
    expect(typedReasonIn('broken: fan')).toBe('broken: fan')
  })

  it('is never longer than Nova takes, and is cut where it would be', () => {
    const reason = disabledReasonOf('run-1', 'x'.repeat(400))
    expect(reason).toHaveLength(255)
    expect(reason.endsWith('…')).toBe(true)
  })
})

it.each([
  ['Lockkeeper: node under maintenance, run run-1', 'lockkeeper'],
  ['AUTO: Connection to libvirt lost: 1', 'nova'],
  ['watcher_maintaining', 'watcher'],
  ['watcher_disabled', 'watcher'],
  ['OSDPL: Node is under maintenance', 'openstack-controller'],
  ['Masakari detected host failed.', 'masakari'],
  ['masakari, I think', 'person'],
  [null, 'person'],
])('%j was written by %s', (reason, who) => {
  expect(disablerOf(reason)).toBe(who)
})
