import { describe, expect, it } from 'vitest'
import { budgetState, isGuarded, keepsPod } from '../../../shared/domain/budget-state.ts'
import type { DisruptionBudget, Pod } from '../../../shared/domain/kubernetes.ts'

type PodFacts = Parameters<typeof budgetState>[0]

const POD: PodFacts = { phase: 'Running', deletionAt: null, ready: true }
const SPENT: DisruptionBudget = {
  apiVersion: 'policy/v1',
  namespace: 'openstack',
  name: 'api',
  uid: 'api',
  selector: {},
  minAvailable: 2,
  maxUnavailable: null,
  unhealthyPodEvictionPolicy: null,
  generation: 3,
  observedGeneration: 3,
  disruptionsAllowed: 0,
  currentHealthy: 1,
  desiredHealthy: 2,
  expectedPods: 3,
}

describe('what a budget allows for a pod (drain.md 5.5)', () => {
  it.each<[rule: string, pod: Partial<PodFacts>, budget: Partial<DisruptionBudget>, is: string]>([
    ['it allows a disruption', {}, { disruptionsAllowed: 1 }, 'allows'],
    ['it is spent', {}, {}, 'refuses'],
    ['it is spent, and the pod is not ready', { ready: false }, {}, 'refuses'],
    [
      'pods that are not ready may always go',
      { ready: false },
      { unhealthyPodEvictionPolicy: 'AlwaysAllow' },
      'passed',
    ],
    [
      'pods that are not ready may always go, and this one is ready',
      {},
      { unhealthyPodEvictionPolicy: 'AlwaysAllow' },
      'refuses',
    ],
    ['pods that are not ready obey it', { ready: false }, { unhealthyPodEvictionPolicy: 'IfHealthyBudget' }, 'refuses'],
    ['enough others are healthy', { ready: false }, { currentHealthy: 2 }, 'passed'],
    ['none has to be healthy', { ready: false }, { currentHealthy: 0, desiredHealthy: 0 }, 'refuses'],
    ['its newest change is not processed', {}, { disruptionsAllowed: 1, observedGeneration: 2 }, 'behind'],
    [
      'its newest change is not processed, and pods that are not ready may always go',
      { ready: false },
      { observedGeneration: 2, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
      'passed',
    ],
    ['the pod has not begun', { phase: 'Pending', ready: false }, {}, 'passed'],
    ['the pod has ended', { phase: 'Succeeded', ready: false }, {}, 'passed'],
    ['the pod has failed', { phase: 'Failed', ready: false }, {}, 'passed'],
    ['the pod is on its way out', { deletionAt: '2026-01-01T00:00:00Z' }, {}, 'passed'],
    ['nobody knows how the pod is', { phase: 'Unknown', ready: false }, {}, 'refuses'],
  ])('%s', (_, pod, budget, is) => {
    expect(budgetState({ ...POD, ...pod }, { ...SPENT, ...budget })).toBe(is)
  })

  it('of all phases, those of a pod that runs or of which nobody knows are guarded', () => {
    const phases: readonly Pod['phase'][] = ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown']
    expect(phases.filter(phase => isGuarded({ phase, deletionAt: null }))).toEqual(['Running', 'Unknown'])
  })
})

it('a budget that refuses, or has not caught up, keeps its pod', () => {
  const statuses = ['allows', 'refuses', 'behind', 'passed'] as const
  expect(statuses.filter(keepsPod)).toEqual(['refuses', 'behind'])
})
