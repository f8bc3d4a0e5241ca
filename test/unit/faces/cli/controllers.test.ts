import { describe, expect, it } from 'vitest'
import type { ControllersStatus } from '../../../../shared/contract/index.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'

function status(state: ControllersStatus['state'], busyWith: string[] = []): ControllersStatus {
  return {
    cluster: 'lab',
    state,
    heldBy: state === 'stopped' ? null : 'ann on bastion',
    trouble: null,
    controllers: [
      { controller: 'openstack', choice: 'console', busyWith },
      { controller: 'ceph', choice: 'cluster', busyWith: [] },
      { controller: 'tungstenfabric', choice: 'none', busyWith: [] },
      { controller: 'stacklight', choice: 'none', busyWith: [] },
    ],
  }
}

describe('controllers run', () => {
  it('says for whom it answers and what is going on, once each, and stops them at Ctrl-C', async () => {
    const fake = createFakeContract({
      'controllers.start': () => ok(status('here')),
      'controllers.stop': () => ok(status('stopped')),
    })
    const terminal = createFakeTerminal({ contract: fake.contract })
    const ended = terminal.run('controllers', 'run', 'lab')
    await terminal.printed('Answering for openstack on lab.')
    fake.emit('controllers.changed', status('here', ['cmp-1: Starting migration for a']))
    fake.emit('controllers.changed', status('here', ['cmp-1: Starting migration for a']))
    fake.emit('controllers.changed', { ...status('here', ['cmp-9: of another cluster']), cluster: 'other' })
    fake.emit('controllers.changed', status('here'))
    terminal.press('SIGINT')
    expect(await ended).toBe(0)
    expect(fake.inputsOf('controllers.stop')).toEqual([{ cluster: 'lab' }])
    expect(terminal.out().match(/cmp-1: Starting migration for a/g)).toHaveLength(1)
    expect(terminal.out()).toContain('openstack cmp-1: at rest')
    expect(terminal.out()).not.toContain('cmp-9')
    expect(fake.listeners()).toBe(0)
  })

  it('waits while another process holds the Lease, and says who', async () => {
    const fake = createFakeContract({
      'controllers.start': () => failed(failure('held', 'The controllers of lab are run by bob on tower.')),
      'controllers.stop': () => ok(status('elsewhere')),
    })
    const terminal = createFakeTerminal({ contract: fake.contract })
    const ended = terminal.run('controllers', 'run', 'lab')
    await terminal.printed('Waiting: The controllers of lab are run by bob on tower.')
    terminal.press('SIGTERM')
    expect(await ended).toBe(0)
  })

  it('ends when it can never answer', async () => {
    const fake = createFakeContract({
      'controllers.start': () => failed(failure('bad-input', 'No application of lab is set to be answered here.')),
    })
    const terminal = createFakeTerminal({ contract: fake.contract })
    expect(await terminal.run('controllers', 'run', 'lab')).not.toBe(0)
    expect(terminal.err()).toContain('No application of lab')
  })
})

describe('controllers status', () => {
  it.each([
    ['elsewhere', 0],
    ['stopped', 3],
    ['not-used', 0],
  ] as const)('ends by what is so: %s, %i', async (state, code) => {
    const fake = createFakeContract({ 'controllers.status': () => ok(status(state)) })
    const terminal = createFakeTerminal({ contract: fake.contract })
    expect(await terminal.run('controllers', 'status', 'lab')).toBe(code)
  })
})

describe('controllers detect', () => {
  it('tells what it proposes and why', async () => {
    const fake = createFakeContract({
      'controllers.detect': () => ok([{ controller: 'openstack', choice: 'cluster', why: 'Deployment rockoon runs.' }]),
    })
    const terminal = createFakeTerminal({ contract: fake.contract })
    expect(await terminal.run('controllers', 'detect', 'lab')).toBe(0)
    expect(terminal.out()).toMatch(/openstack\s+cluster\s+Deployment rockoon runs\./)
  })
})
