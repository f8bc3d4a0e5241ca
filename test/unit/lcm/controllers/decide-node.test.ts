import { describe, expect, test } from 'vitest'
import { decideNode, type NodeFacts, PREPARED_SCOPE_ANNOTATION } from '../../../../main/lcm/controllers/decide-node.ts'
import type {
  NodeDeletionRequest,
  NodeMaintenanceRequest,
  NodeWorkloadLock,
} from '../../../../shared/domain/maintenance-api.ts'

const OURS = 'lcm.mirantis.com/lockkeeper-openstack-finalizer'

const head = (name: string) => ({
  uid: `uid-${name}`,
  name,
  resourceVersion: '1',
  createdAt: '2026-01-01T00:00:00Z',
  deletingSince: null,
  finalizers: [],
  annotations: {},
  writers: [],
  faults: [],
})

function lock(more: Partial<NodeWorkloadLock> = {}): NodeWorkloadLock {
  return {
    ...head('openstack-cmp-1'),
    controller: 'openstack',
    nodeName: 'cmp-1',
    nodeDeletionRequestSupported: true,
    state: 'active',
    release: null,
    errorMessage: '',
    innerState: null,
    progress: null,
    ...more,
  }
}

function request(name: string, more: Partial<NodeMaintenanceRequest> = {}): NodeMaintenanceRequest {
  return { ...head(name), nodeName: 'cmp-1', scope: 'os', release: null, ...more }
}

const deletion: NodeDeletionRequest = { ...head('ndr'), nodeName: 'cmp-1' }
const held = { finalizers: [OURS] }
const going = { ...held, deletingSince: '2026-01-01T01:00:00Z' }
const begun = { innerState: 'active' } as const
const released = {
  state: 'inactive',
  innerState: 'active',
  annotations: { [PREPARED_SCOPE_ANNOTATION]: 'os' },
} as const

function next(facts: Partial<NodeFacts>): string {
  const decision = decideNode({
    exists: true,
    concerned: true,
    lock: lock(),
    mayTakeBack: false,
    begunHere: false,
    requests: [],
    deletion: null,
    disabledOnPurpose: false,
    release: null,
    finalizer: OURS,
    ...facts,
  })
  return decision.kind === 'enter'
    ? `enter ${decision.scope} ${decision.requests.map(({ name }) => name)}`
    : decision.kind
}

describe('the next move on a node', () => {
  test.each<[rule: string, facts: Partial<NodeFacts>, move: string]>([
    ['A.2 rule 3: a node with a role and no lock gets one', { lock: null }, 'create-lock'],
    [
      'its state, where only the default stands for it, is written',
      { lock: lock({ stateGiven: false }) },
      'set-active',
    ],
    [
      'API servers before 1.22 name no part that was written: what a lock says for itself counts',
      {
        lock: lock({ writers: [{ manager: 'lockkeeper', at: '2026-01-01T00:00:00Z', subresource: null }] }),
        requests: [request('r')],
      },
      'enter os r',
    ],
    [
      'A.2 rule 2: a node without a role and a lock is left alone',
      { lock: null, concerned: false, requests: [request('a')] },
      'rest',
    ],
    [
      'A.2 rule 3: of a node without a lock nobody can tell: it waits until somebody asks',
      { lock: null, concerned: null },
      'rest',
    ],
    ['A.2 rule 3: asked for, it gets one', { lock: null, concerned: null, requests: [request('a')] }, 'create-lock'],
    ['A.2 rule 3: a deletion asks too', { lock: null, concerned: null, deletion }, 'create-lock'],
    [
      'a lock that was made in doubt goes once there is none',
      { concerned: false, mayTakeBack: true },
      'take-back-lock',
    ],
    ['while there is doubt, it stays', { concerned: null, mayTakeBack: true }, 'rest'],
    ['the lock of another one stays', { concerned: false }, 'rest'],
    [
      'while somebody asks, it stays',
      { concerned: false, mayTakeBack: true, requests: [request('a', { deletingSince: '2026-01-01T01:00:00Z' })] },
      'rest',
    ],
    ['while somebody gives the node up, it stays', { concerned: false, mayTakeBack: true, deletion }, 'enter delete '],
    [
      'A.9: while its node is disabled on purpose, it stays',
      { concerned: false, mayTakeBack: true, disabledOnPurpose: true },
      'rest',
    ],
    ['a started node is brought back first', { concerned: false, mayTakeBack: true, lock: lock(begun) }, 'exit'],
    ['A.2 rule 3: a lock without a status is set active', { lock: lock({ state: 'unknown' }) }, 'set-active'],
    [
      'A.2 rule 3: another release is set active with ours, also when inactive',
      { lock: lock({ ...released, release: 'old' }), release: 'new' },
      'set-active',
    ],
    [
      'A.2 rule 4: a request of another release is refused',
      { lock: lock({ release: 'new' }), release: 'new', requests: [request('a', { release: 'old' })] },
      'refuse',
    ],
    [
      'A.2 rule 4: a started node is not brought back by an edited release',
      {
        lock: lock({ ...released, release: 'new' }),
        release: 'new',
        requests: [request('a', { release: 'old', ...held })],
      },
      'refuse',
    ],
    [
      'A.2 rule 4: without a release in the settings every request is accepted',
      { requests: [request('a', { release: 'old' })] },
      'enter os a',
    ],
    [
      'A.1: a request without a scope asks for no reboot',
      { requests: [request('a', { scope: null })] },
      'enter drain a',
    ],
    [
      'A.1: of several requests the strongest scope counts',
      { requests: [request('a', { scope: 'drain' }), request('b')] },
      'enter os a,b',
    ],
    [
      'A.1: a drain’s lock is taken back when a reboot is requested',
      {
        lock: lock({ ...released, annotations: { [PREPARED_SCOPE_ANNOTATION]: 'drain' } }),
        requests: [request('a', held)],
      },
      'set-active',
    ],
    [
      'A.2: a released lock stays while the request does',
      { lock: lock(released), requests: [request('a', held)] },
      'rest',
    ],
    [
      'A.3: a second request is held as well',
      { lock: lock(released), requests: [request('a', held), request('b')] },
      'enter os a,b',
    ],
    ['A.3: the request is going: back', { lock: lock(released), requests: [request('a', going)] }, 'exit'],
    ['A.3: the request went while nobody looked: back', { lock: lock(begun) }, 'exit'],
    [
      'A.3: a begun node goes all the way back before another request is answered',
      { lock: lock(released), requests: [request('a', going), request('b')] },
      'exit',
    ],
    [
      'A.3: begun here, not yet seen as such: back, not just let go',
      { begunHere: true, requests: [request('a', going)] },
      'exit',
    ],
    ['A.3: never begun: the request may go', { requests: [request('a', going)] }, 'let-go'],
    ['A.3: a failed lock that nobody asks for comes back', { lock: lock({ state: 'failed' }) }, 'exit'],
    ['A.2: the message about a request ends with it', { lock: lock({ errorMessage: 'x' }) }, 'clear-message'],
    ['A.9: a deletion request wants more than a reboot', { deletion, requests: [request('a')] }, 'enter delete a'],
    [
      'A.9: a lock released for a reboot is not released for a deletion',
      { lock: lock(released), deletion },
      'set-active',
    ],
    ['A.9: a withdrawn deletion request brings the node back', { lock: lock(released) }, 'exit'],
    ['A.9: the node is gone: its lock goes', { exists: false }, 'delete-lock'],
    ['A.9: the node is disabled on purpose: its lock stays', { exists: false, disabledOnPurpose: true }, 'rest'],
    [
      'A.9: the node is gone: its request is let go first',
      { exists: false, requests: [request('a', going)] },
      'let-go',
    ],
    ['nothing to do', {}, 'rest'],
  ])('docs/domain.md %s', (_rule, facts, move) => {
    expect(next(facts)).toBe(move)
  })
})
