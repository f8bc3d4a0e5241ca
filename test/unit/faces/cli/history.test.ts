import { describe, expect, it } from 'vitest'
import { ok } from '../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { playedBlockers, playedMeasured, playedRuns, playedWindows } from '../../../fixtures/renderer/history.ts'

const fake = () =>
  createFakeContract({
    'history.search': () => ok({ runs: playedRuns(4), windows: playedWindows(), more: true }),
    'history.durations': () => ok({ measured: playedMeasured(30), unreadable: ['Event 7 of run x cannot be read.'] }),
    'history.blockers': () => ok(playedBlockers()),
  })

describe('history', () => {
  it('lists runs and windows together, newest first, each run with its window', async () => {
    const terminal = createFakeTerminal({ contract: fake().contract })
    expect(await terminal.run('history')).toBe(0)
    const lines = terminal.out().split('\n')
    expect(lines[1]).toMatch(/^2099-11-27 .* window +west +Kernel 6\.8/)
    expect(lines[2]).toMatch(
      /run000000 +leave +east +cmp-1 +done +\d+ min( \d+ s)? +olga +win0000001 +cmp-1 is in service/,
    )
    expect(lines[3]).toMatch(/window +east +Firmware of rack 4 +closed .*CHG-20417; 2 runs; Both nodes/)
    expect(terminal.out()).toContain('There are older ones')
  })

  it('asks for words, for whole days of the own calendar, and for as many as wanted', async () => {
    const { contract, inputsOf } = fake()
    const terminal = createFakeTerminal({ contract })
    await terminal.run(
      'history',
      'east',
      '--text',
      'CHG-1 olga',
      '--from',
      '2026-11-01',
      '--to',
      '2026-11-02',
      '--limit',
      '7',
    )
    expect(inputsOf('history.search')).toEqual([
      {
        cluster: 'east',
        text: 'CHG-1 olga',
        from: new Date('2026-11-01T00:00:00').toISOString(),
        to: new Date('2026-11-02T23:59:59.999').toISOString(),
        limit: 7,
      },
    ])
  })
})

describe('history durations', () => {
  it('gives median and p90 of each cluster and node, and names on standard error what cannot be read', async () => {
    const terminal = createFakeTerminal({ contract: fake().contract })
    expect(await terminal.run('history', 'durations')).toBe(0)
    expect(terminal.out()).toMatch(
      /^east\n +NODE +TIMES +EVACUATION +PER GiB +DRAIN +ENTER, WHOLE\n +all +20 +\d+ min \d\d s \/ /,
    )
    expect(terminal.out().indexOf('cmp-2 ')).toBeLessThan(terminal.out().indexOf('cmp-10 '))
    expect(terminal.err()).toContain('Event 7 of run x cannot be read.')
  })

  it('as JSON are every single measurement', async () => {
    const terminal = createFakeTerminal({ contract: fake().contract })
    await terminal.run('history', 'durations', 'east', '-o', 'json')
    expect(terminal.json()).toMatchObject({ measured: playedMeasured(30) })
  })
})

describe('history blockers', () => {
  it('say what stood in the way, how often, where, and in which runs', async () => {
    const terminal = createFakeTerminal({ contract: fake().contract })
    expect(await terminal.run('history', 'blockers')).toBe(0)
    expect(terminal.out()).toContain('east: Budget openstack/rabbitmq allows no disruption')
    expect(terminal.out()).toMatch(/9 times, 2 overridden, from 2026-09-01 .* on cmp-1, cmp-2, .* and cmp-12/)
    expect(terminal.out()).toContain('run000001, run000003')
  })
})
