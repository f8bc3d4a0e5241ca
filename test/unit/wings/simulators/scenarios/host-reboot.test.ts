import { expect, onTestFinished, test } from 'vitest'
import { coupleClouds } from '../../../../../main/wings/simulators/couple-clouds.ts'
import { createKubernetesCore } from '../../../../../main/wings/simulators/kubernetes/kubernetes-simulator.ts'
import { at, listAt, textAt } from '../../../../../main/wings/simulators/kubernetes/store/json.ts'
import { createOpenStackCore } from '../../../../../main/wings/simulators/openstack/openstack-simulator.ts'
import { isAgentAlive, isComputeUp } from '../../../../../main/wings/simulators/openstack/world.ts'
import { demoPlain } from '../../../../../main/wings/simulators/scenarios/demo-plain.ts'
import { createVirtualClock } from '../../../../fixtures/virtual-clock.ts'

const HOST = 'cmp-01'

/** Both sides of demo-plain, coupled, on a clock that only the test moves. */
function coupled() {
  const clock = createVirtualClock()
  const { kubernetes: objects, openstack: seed } = demoPlain()
  const kubernetes = createKubernetesCore({ clock, seed: objects }, () => {})
  const openstack = createOpenStackCore({ clock, seed })
  const ending = new AbortController()
  const under = coupleClouds(clock, kubernetes, openstack, ending.signal)
  onTestFinished(async () => {
    ending.abort()
    await Promise.all([under, kubernetes.stop(), openstack.stop()])
  })
  const { state } = openstack
  const seen = () => {
    const node = kubernetes.objects.get('Node', null, HOST)
    const ready = listAt(node, 'status', 'conditions').find(one => at(one, 'type') === 'Ready')
    const pods = kubernetes.objects.list('Pod').filter(pod => textAt(pod, 'spec', 'nodeName') === HOST)
    const isReady = (pod: (typeof pods)[number]) =>
      listAt(pod, 'status', 'conditions').some(one => at(one, 'type') === 'Ready' && at(one, 'status') === 'True')
    return {
      node: textAt(ready, 'status'),
      pods: pods.every(isReady) ? 'all' : pods.some(isReady) ? 'some' : 'none',
      compute: isComputeUp(state, HOST),
      agents: state.agents.filter(({ host }) => host === HOST).every(agent => isAgentAlive(state, agent)),
      active: [...state.servers.values()].some(({ host, vmState }) => host === HOST && vmState === 'active'),
    }
  }
  return { clock, kubernetes, seen }
}

test('a rebooting machine is lost and returns step by step, each with its delay', async () => {
  const { clock, kubernetes, seen } = coupled()
  await clock.advance(1_000)
  expect(seen()).toEqual({ node: 'True', pods: 'all', compute: true, agents: true, active: true })
  void kubernetes.rebootNode(HOST)
  await clock.advance(49_000)
  expect(seen()).toEqual({ node: 'True', pods: 'all', compute: true, agents: true, active: true })
  await clock.advance(2_000)
  expect(seen()).toEqual({ node: 'Unknown', pods: 'none', compute: true, agents: true, active: true })
  await clock.advance(10_000)
  expect(seen()).toMatchObject({ node: 'Unknown', compute: false, agents: true })
  await clock.advance(10_000)
  expect(seen()).toMatchObject({ node: 'False', pods: 'none', compute: false, active: true })
  await clock.advance(4_000)
  expect(seen()).toMatchObject({ node: 'True', pods: 'none', compute: false })
  await clock.advance(5_000)
  expect(seen()).toMatchObject({ node: 'True', pods: 'some' })
  await clock.advance(20_000)
  expect(seen()).toMatchObject({ node: 'True', pods: 'all', compute: true, agents: true })
  await clock.advance(15_000)
  expect(seen().active).toBe(false)
})

test('nova-compute on a silent node is down only after the service_down_time', async () => {
  const { clock, kubernetes, seen } = coupled()
  await clock.advance(1_000)
  kubernetes.setNodeReady(HOST, 'Unknown')
  await clock.advance(8_000)
  expect(seen()).toMatchObject({ node: 'Unknown', pods: 'none', compute: true })
  await clock.advance(4_000)
  expect(seen()).toMatchObject({ compute: false, active: true })
  kubernetes.setNodeReady(HOST, true)
  await clock.advance(6_000)
  expect(seen()).toMatchObject({ node: 'True', pods: 'all', compute: true, active: true })
})
