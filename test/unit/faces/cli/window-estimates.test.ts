import { describe, expect, it } from 'vitest'
import type { ListedWindow } from '../../../../shared/contract/index.ts'
import type { Estimate, TimeVerdict, WindowForecast } from '../../../../shared/domain/estimate.ts'
import { ownersByProject, ownersCsv } from '../../../../shared/domain/owners.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { vendorEstimate } from '../../../../shared/domain/vendor-estimate.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'

const WINDOW: ListedWindow = {
  standing: 'open',
  runs: [],
  window: {
    id: '4f1c0000',
    cluster: 'lab',
    title: 'Kernel',
    ticket: '',
    startsAt: '2026-11-22T21:00:00.000Z',
    endsAt: '2026-11-23T01:00:00.000Z',
    timeZone: 'Europe/Berlin',
    plan: {
      kind: 'batches',
      scope: 'os',
      batches: [{ nodes: ['cmp-1'] }],
      work: { kind: 'person' },
      workMinutes: 10,
      pauseBetweenBatches: false,
    },
    notes: '',
    operator: 'olga',
    machine: 'bastion',
    createdAt: '2026-11-20T10:00:00.000Z',
    revision: 1,
    remarks: [],
    estimate: null,
    start: null,
    closed: null,
    cancelled: null,
  },
}

const span = (lowMs: number, highMs: number) => ({ lowMs, highMs })
const ESTIMATE: Estimate = {
  madeAt: '2026-11-22T20:00:00.000Z',
  vendor: null,
  own: {
    nodes: [
      {
        node: 'cmp-1',
        batch: 1,
        evacuation: span(120_000, 300_000),
        drain: span(0, 0),
        work: span(600_000, 600_000),
        back: null,
        total: null,
        basis: '2 nodes measured',
      },
    ],
    batches: [{ batch: 1, span: null }],
    total: null,
    basis: '2 nodes measured on this cluster in 1 run, 4 migrations.',
    missing: ['How long the way back takes was not measured on this cluster yet.'],
  },
}

const OWNED = {
  ...{ id: 'id-1', name: '=cmd', projectId: 'p1', node: 'cmp-1', batch: 1, status: 'ACTIVE' },
  action: 'notify' as const,
  reason: 'its owner has to move or stop it',
}
const PROJECTS = ownersByProject([OWNED], () => 'shop', 'lab', null)

function fake(verdict: TimeVerdict = 'in-time') {
  const forecast: WindowForecast = {
    windowId: '4f1c0000',
    readAt: '2026-11-22T22:00:00.000Z',
    endsAt: WINDOW.window.endsAt,
    eta: { lowAt: '2026-11-22T23:00:00.000Z', highAt: '2026-11-22T23:30:00.000Z', basis: '2 nodes measured' },
    verdict,
    leaveOut: [],
    words: 'It will be over between 00:00 and 00:30.',
  }
  return createFakeContract({
    'window.show': () => ok(WINDOW),
    'estimate.make': () => ok(ESTIMATE),
    'owners.list': () =>
      ok({
        cluster: 'lab',
        readAt: '',
        projects: [...PROJECTS],
        unreachable: ['Keystone is away.'],
        csv: ownersCsv(PROJECTS),
      }),
    'window.forecast': () => ok(forecast),
  })
}

describe('window estimate', () => {
  it('shows every part of every node, what is not known as not known, and why', async () => {
    const terminal = createFakeTerminal({ contract: fake().contract })
    expect(await terminal.run('window', 'estimate', '4f1c')).toBe(0)
    expect(terminal.out()).toContain('Our estimate: not known as a whole')
    expect(terminal.out()).toMatch(/1 +cmp-1 +2 min to 5 min +- +10 min +not known +not known/)
    expect(terminal.out()).toContain('How long the way back takes was not measured')
    expect(terminal.out()).not.toContain("The vendor's figure")
  })

  it("labels the vendor's figure as theirs, in both readings", async () => {
    const vendor = vendorEstimate(
      {
        ...{ instancesPerCompute: 20, computes: 10, gateways: 2 },
        ...{ controlPlaneNodes: 3, workers: 15, reboots: true },
      },
      'scope',
    )
    const { contract } = createFakeContract({
      'window.show': () => ok(WINDOW),
      'estimate.make': () => ok({ ...ESTIMATE, vendor }),
    })
    const terminal = createFakeTerminal({ contract })
    await terminal.run('window', 'estimate', '4f1c')
    expect(terminal.out()).toContain("The vendor's figure")
    expect(terminal.out()).toMatch(/17 h 34 min: .*18 h 9 min: /s)
    expect(terminal.out()).toContain('D 20, NC 10, NG 2, NKC 3, NKM 15, RE 1')
  })

  it('answers for another plan of the window, and for nodes without any window', async () => {
    const { contract, inputsOf } = fake()
    const terminal = createFakeTerminal({ contract })
    expect(await terminal.run('window', 'estimate', '4f1c', '--batch', 'cmp-7,cmp-8')).toBe(0)
    expect(await terminal.run('window', 'estimate', '--cluster', 'east', '--batch', 'cmp-9')).toBe(0)
    expect(inputsOf('estimate.make')).toMatchObject([
      { cluster: 'lab', plan: { batches: [{ nodes: ['cmp-7', 'cmp-8'] }], workMinutes: 10 } },
      { cluster: 'east', plan: { batches: [{ nodes: ['cmp-9'] }], workMinutes: null } },
    ])
  })
})

describe('window owners', () => {
  it('lists instances by project, says what could not be read, and asks with the time of the window', async () => {
    const { contract, inputsOf } = fake()
    const terminal = createFakeTerminal({ contract })
    expect(await terminal.run('window', 'owners', '4f1c')).toBe(0)
    expect(terminal.out()).toMatch(/shop +=cmd +id-1 +1 +cmp-1 +ACTIVE +its owner has to move or stop it/)
    expect(terminal.err()).toContain('Keystone is away.')
    const { startsAt, endsAt, timeZone } = WINDOW.window
    expect(inputsOf('owners.list')).toMatchObject([{ announced: { startsAt, endsAt, timeZone } }])
  })

  it('prints messages as they are to be sent, and CSV as it is to be saved', async () => {
    const terminal = createFakeTerminal({ contract: fake().contract })
    await terminal.run('window', 'owners', '4f1c', '--message')
    expect(terminal.out()).toContain('To the owners of project shop (p1) in cloud lab')
    const table = createFakeTerminal({ contract: fake().contract })
    await table.run('window', 'owners', '4f1c', '--csv')
    expect(table.out()).toBe(ownersCsv(PROJECTS).replaceAll('\r', ''))
    expect(table.out()).toContain("shop,p1,'=cmd,id-1")
  })
})

describe('window forecast', () => {
  it.each<readonly [TimeVerdict, number]>([
    ['in-time', 0],
    ['not-known', 0],
    ['may-overrun', 3],
    ['overruns', 3],
  ])('%s exits %i, and the sentence is there', async (verdict, code) => {
    const terminal = createFakeTerminal({ contract: fake(verdict).contract })
    expect(await terminal.run('window', 'forecast', '4f1c')).toBe(code)
    expect(terminal.out()).toContain('It will be over between 00:00 and 00:30.')
    expect(terminal.out()).toContain('Over 2026-11-23 00:00 +01:00 to 2026-11-23 00:30 +01:00')
  })
})
