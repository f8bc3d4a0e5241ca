import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../main/platform/clock/clock.ts'
import { startDemoClouds } from '../../main/wings/simulators/demo-clouds.ts'
import { playSituation } from '../../main/wings/simulators/situations.ts'
import { must } from '../../shared/domain/must.ts'
import { connectTarget } from '../fixtures/connect-target.ts'
import { type SituationsTarget, situationsContract } from './situations-contract.ts'
import { value } from './target.ts'

const HOST = 'cmp-02'

/** demo-plain, with these situations from the start. */
async function demoPlain(play: NonNullable<Parameters<typeof startDemoClouds>[0]['play']> = []) {
  const directory = await mkdtemp(join(tmpdir(), 'lockkeeper-situations-'))
  const demo = await startDemoClouds({ clock: systemClock, directory, speed: 20, play })
  const cluster = must(demo.clusters[0], 'the demo has demo-plain')
  const connected = await connectTarget({
    kubeconfig: cluster.kubeconfigPath,
    context: cluster.context,
    viewerKubeconfig: null,
    cloudsYaml: cluster.cloudsYamlPath,
    cloud: cluster.cloud,
    userCloud: `${cluster.cloud}-demo`,
  })
  return {
    ...connected,
    demo,
    close: async () => {
      await connected.close()
      await demo.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

describe('the embedded clouds reproduce situations of real ones', () => {
  let target: SituationsTarget
  beforeAll(async () => {
    const { demo, openstack, close } = await demoPlain()
    const ending = new AbortController()
    const play = async (situation: Parameters<typeof playSituation>[0]['situation']) => {
      await playSituation({ situation, node: HOST }, { ...demo, clock: systemClock, speed: 20, signal: ending.signal })
    }
    const running = [...demo.openstack.state.servers.values()].find(
      ({ host, vmState, groupId }) => host === HOST && vmState === 'active' && groupId === null,
    )
    target = {
      openstack,
      host: HOST,
      instance: must(running, `an instance runs on ${HOST}`).id,
      leaveAgent: () => play('leftover-agent'),
      nameTwice: () => play('two-computes'),
      endOldName: async () => demo.openstack.faults.setComputeUp(HOST, false),
      close: async () => {
        ending.abort()
        await close()
      },
    }
  })
  afterAll(() => target.close())

  situationsContract(() => target)
})

describe('from the beginning of the demo', () => {
  let cloud: Awaited<ReturnType<typeof demoPlain>>
  beforeAll(async () => {
    cloud = await demoPlain([
      { situation: 'renamed-compute', node: 'cmp-02' },
      { situation: 'unconfirmed-resize', node: 'cmp-03' },
      { situation: 'auto-disabled', node: 'cmp-04' },
      { situation: 'foreign-taints', node: 'cmp-05' },
      { situation: 'node-maintenance', node: 'cmp-06' },
      { situation: 'held-evictions', node: 'cmp-07' },
    ])
  })
  afterAll(() => cloud.close())

  const services = async () => value(await cloud.openstack.computeServices())

  it('a renamed nova-compute has its instances under the new name, and the old record is dead', async () => {
    expect((await services()).filter(({ host }) => host.startsWith('cmp-02')).map(({ state }) => state)).toEqual([
      'down',
      'up',
    ])
    expect(value(await cloud.openstack.instancesOnHost('cmp-02')).items).toEqual([])
    expect(value(await cloud.openstack.instancesOnHost('cmp-02.cloud.example.org')).items.length).toBeGreaterThan(0)
    expect(value(await cloud.openstack.consumersOn(['cmp-02']))?.length).toBeGreaterThan(0)
  })

  it('an instance that left waits to be confirmed', async () => {
    const [record] = value(await cloud.openstack.migrations({ host: 'cmp-03' }))
    expect(record).toMatchObject({ type: 'migration', status: 'finished', sourceHost: 'cmp-03' })
    expect(value(await cloud.openstack.getInstance(record?.instanceId ?? ''))).toMatchObject({
      status: 'VERIFY_RESIZE',
      vmState: 'resized',
    })
  })

  it('a nova-compute that disabled itself enables itself again', async () => {
    // Two minutes of the cloud are six seconds here.
    const service = async () => (await services()).find(({ host }) => host === 'cmp-04')
    await expect.poll(service, { timeout: 20_000 }).toMatchObject({ status: 'enabled', disabledReason: null })
  })

  it('others keep pods off a node, and medik8s has one in maintenance', async () => {
    const nodes = value(await cloud.kubernetes.listNodes())
    const keysOf = (name: string) => nodes.find(node => node.name === name)?.taints.map(({ key }) => key)
    expect(keysOf('cmp-05')).toEqual(
      expect.arrayContaining(['medik8s.io/remediation', 'node.cloudprovider.kubernetes.io/shutdown']),
    )
    expect(keysOf('cmp-06')).toContain('medik8s.io/drain')
    expect(value(await cloud.kubernetes.listForeignMaintenances()).found).toEqual([
      expect.objectContaining({ node: 'cmp-06', code: 'NodeMaintenance' }),
    ])
  })

  it('an eviction is accepted, and its pod runs on', async () => {
    const { objects } = cloud.demo.kubernetes
    const pod = must(
      objects.list('Pod').find(({ spec }) => (spec as { nodeName?: string }).nodeName === 'cmp-07'),
      'a pod runs there',
    )
    const { namespace = '', name } = pod.metadata
    const path = `/api/v1/namespaces/${namespace}/pods/${name}/eviction`
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { namespace, name } }
    const answer = await cloud.session.exchange({ method: 'POST', path, body })
    expect(value(answer)).toMatchObject({ status: 201 })
    expect(objects.get('Pod', namespace, name)?.metadata.deletionTimestamp).toBeUndefined()
  })
})
