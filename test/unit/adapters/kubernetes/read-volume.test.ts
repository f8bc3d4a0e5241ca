import { describe, expect, test } from 'vitest'
import { readVolume } from '../../../../main/adapters/kubernetes/kubernetes-port.ts'
import { VOLUMES } from '../../../../main/adapters/kubernetes/resource-types.ts'
import { parsed } from '../../../fixtures/kubernetes/like-a-server.ts'

const volume = (raw: Readonly<Record<string, unknown>>) => readVolume(parsed(VOLUMES, raw))

const claimRef = { kind: 'PersistentVolumeClaim', namespace: 'openstack', name: 'data-mysql-0' }

describe('volumes', () => {
  test('a local one is reached by the nodes of its affinity', () => {
    const term = { key: 'kubernetes.io/hostname', operator: 'In', values: ['sun-1'] }
    expect(
      volume({
        metadata: { name: 'pv-1' },
        spec: { claimRef, nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [term] }] } } },
      }),
    ).toEqual({ name: 'pv-1', namespace: 'openstack', claim: 'data-mysql-0', reach: [[term]] })
  })

  test('names of nodes count as its labels do', () => {
    const term = { key: 'metadata.name', operator: 'In', values: ['sun-1'] }
    const nodeAffinity = { required: { nodeSelectorTerms: [{ matchFields: [term] }] } }
    expect(volume({ metadata: { name: 'pv-1' }, spec: { claimRef, nodeAffinity } })?.reach).toEqual([[term]])
  })

  test('one without affinity is reached by every node', () => {
    expect(volume({ metadata: { name: 'pv-1' }, spec: { claimRef } })?.reach).toBeNull()
  })

  test('one that nobody claims is left out', () => {
    expect(volume({ metadata: { name: 'pv-1' }, spec: {} })).toBeNull()
  })
})
