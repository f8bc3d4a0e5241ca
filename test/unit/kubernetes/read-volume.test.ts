import { describe, expect, test } from 'vitest'
import { readVolume } from '../../../main/kubernetes/read-volume.ts'

const claimRef = { kind: 'PersistentVolumeClaim', namespace: 'openstack', name: 'data-mysql-0' }

describe('volumes', () => {
  test('a local one is reached by the nodes of its affinity', () => {
    const term = { key: 'kubernetes.io/hostname', operator: 'In', values: ['sun-1'] }
    expect(
      readVolume({
        metadata: { name: 'pv-1' },
        spec: { claimRef, nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [term] }] } } },
      }),
    ).toEqual({ name: 'pv-1', namespace: 'openstack', claim: 'data-mysql-0', reach: [[term]] })
  })

  test('names of nodes count as its labels do', () => {
    const term = { key: 'metadata.name', operator: 'In', values: ['sun-1'] }
    const nodeAffinity = { required: { nodeSelectorTerms: [{ matchFields: [term] }] } }
    expect(readVolume({ metadata: { name: 'pv-1' }, spec: { claimRef, nodeAffinity } })?.reach).toEqual([[term]])
  })

  test('one without affinity is reached by every node', () => {
    expect(readVolume({ metadata: { name: 'pv-1' }, spec: { claimRef } })?.reach).toBeNull()
  })

  test('one that nobody claims is left out', () => {
    expect(readVolume({ metadata: { name: 'pv-1' }, spec: {} })).toBeNull()
  })
})
