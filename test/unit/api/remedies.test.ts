import { expect, test } from 'vitest'
import { remedyHandlers } from '../../../main/api/remedies.ts'
import type { ApiServices } from '../../../main/api/services.ts'
import type { ConnectedWorld } from '../../../main/clusters/clusters.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import type { MaintenanceWorld } from '../../../main/ports/world.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { must } from '../../../shared/domain/must.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { failureIn } from '../../fixtures/clusters/results.ts'
import { COMPUTE, fakeInstance, fakeNode, fakeService, fakeWorld } from '../../fixtures/procedures/fake-world.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

const BROKEN = { status: 'ERROR', vmState: 'error', powerState: 1 }
const HOLDER = {
  ...{ operator: 'olga', machine: 'bastion', identity: 'i', runId: 'r', since: '2026-11-21T10:00:00.000Z' },
  ...{
    renewedAt: '2026-11-21T10:00:00.000Z',
    seenRenewed: true,
    durationSeconds: 60,
    unchangedForMs: 1000,
    freeInMs: 59_000,
  },
}

interface Around {
  readonly production?: boolean
  readonly isHeld?: boolean
  readonly journalIsAway?: boolean
}

/** Asks for the shutdown of an instance in ERROR; `sent` is what reached Nova. */
async function asked({ production = false, isHeld = false, journalIsAway = false }: Around) {
  const { port } = fakeWorld({
    nodes: [fakeNode('cmp-1', { labels: COMPUTE })],
    services: [fakeService('cmp-1')],
    instances: [fakeInstance('1', 'cmp-1', BROKEN)],
  })
  const sent: string[] = []
  const world: MaintenanceWorld = {
    ...port,
    kubernetes: {
      ...port.kubernetes,
      leases: { ...port.kubernetes.leases, holder: async name => ok(isHeld && name.includes('cmp-1') ? HOLDER : null) },
    },
    openstack: {
      ...must(port.openstack, 'the fake world has a cloud'),
      stopInstance: async id => {
        sent.push(id)
        return failed(failure('conflict', 'a test'))
      },
    },
  }
  const services = {
    clock: createVirtualClock(),
    log: silentLogger,
    clusters: { get: () => ok({ production }) },
    worlds: { open: async () => ok({ world, openstackFailure: null } as ConnectedWorld) },
    runs: { driver: { operator: 'eva', machine: 'laptop' } },
    edits: {
      record: (edit: object) =>
        journalIsAway ? failed(failure('unreachable', 'No journal.')) : ok({ seq: 1, ...edit }),
    },
    onInstancesTouched: () => {},
  } as unknown as ApiServices
  const answer = await remedyHandlers(services)['instance.remedy']({
    ...{ cluster: 'lab', id: '1', remedy: 'stop', reason: '' },
    seen: { host: 'cmp-1', status: 'ERROR', taskState: null },
  })
  return { sent, code: failureIn(answer).reason ?? failureIn(answer).code }
}

test.each<[string, Around, string]>([
  ['a run works on its node', { isHeld: true }, 'RemedyHeld'],
  ['its cloud is production and no reason is given', { production: true }, 'SayWhyByHand'],
  ['the journal cannot be written', { journalIsAway: true }, 'unreachable'],
])('an instance is left alone while %s', async (_, around, code) => {
  expect(await asked(around)).toEqual({ sent: [], code })
})

test('otherwise the request reaches Nova', async () => {
  expect(await asked({})).toEqual({ sent: ['1'], code: 'conflict' })
})
