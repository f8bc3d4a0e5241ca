import { execFile, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { systemClock } from '../../../../../main/platform/clock/clock.ts'
import {
  type KubernetesSimulator,
  startKubernetesSimulator,
} from '../../../../../main/wings/simulators/kubernetes/kubernetes-simulator.ts'
import { at, listAt, textAt } from '../../../../../main/wings/simulators/kubernetes/store/json.ts'
import type { KubernetesObject } from '../../../../../main/wings/simulators/kubernetes/store/kubernetes-object.ts'
import { barePod, FAST, SMALL_CLOUD, workload } from '../../../../fixtures/demo-kubernetes/small-cloud.ts'
import { until } from '../../../../fixtures/demo-kubernetes/until.ts'

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0
if (!hasKubectl) console.warn('kubectl is not on PATH: the demo cloud is not checked against it')

interface Said {
  readonly code: number
  readonly out: string
  readonly error: string
}

describe.skipIf(!hasKubectl)('kubectl works against the demo cloud', () => {
  let simulator: KubernetesSimulator
  let folder: string

  beforeEach(async () => {
    simulator = await startKubernetesSimulator({ clock: systemClock, seed: SMALL_CLOUD, timings: FAST })
    folder = mkdtempSync(join(tmpdir(), 'lockkeeper-kubectl-'))
    writeFileSync(join(folder, 'admin'), simulator.kubeconfig(), { mode: 0o600 })
    writeFileSync(join(folder, 'viewer'), simulator.kubeconfig('viewer'), { mode: 0o600 })
  })

  afterEach(async () => {
    await simulator.stop()
    rmSync(folder, { recursive: true })
  })

  function environment(user = 'admin'): NodeJS.ProcessEnv {
    // HOME keeps kubectl's discovery cache away from the developer's own.
    return { ...process.env, KUBECONFIG: join(folder, user), HOME: folder }
  }

  function kubectl(text: string, user = 'admin'): Promise<Said> {
    return new Promise(resolve => {
      execFile('kubectl', text.split(' '), { env: environment(user) }, (problem, out, error) => {
        const code = problem === null ? 0 : typeof problem.code === 'number' ? problem.code : 1
        resolve({ code, out: out.trim(), error: error.trim() })
      })
    })
  }

  async function succeed(text: string): Promise<string> {
    const said = await kubectl(text)
    expect(said, `kubectl ${text}`).toMatchObject({ code: 0 })
    return said.out
  }

  function file(name: string, ...objects: readonly KubernetesObject[]): string {
    const path = join(folder, name)
    writeFileSync(path, objects.map(object => stringify(object)).join('---\n'))
    return path
  }

  test('get shows the columns of a real server, for every kind', async () => {
    expect(await succeed('get nodes')).toMatch(
      /^NAME +STATUS +ROLES +AGE +VERSION\ncmp-1 +Ready +<none> +\d+s +v1\.36\.2/,
    )
    expect(await succeed('get nodes -o wide')).toMatch(/INTERNAL-IP.*OS-IMAGE.*CONTAINER-RUNTIME/)
    expect(await succeed('get pods -n openstack -o wide')).toMatch(
      /mariadb-0 +1\/1 +Running +0 +\d+s +10\.[\d.]+ +ctl-/,
    )
    expect(await succeed('get pdb -A')).toMatch(/openstack +mariadb +2 +N\/A +1 /)
    expect(await succeed('get deployments,replicasets,statefulsets,daemonsets -A')).toMatch(/keystone +3\/3 +3 +3/)
    expect(await succeed('get leases -n kube-node-lease')).toMatch(/cmp-1 +cmp-1 /)
    expect(await succeed('get events -A')).toMatch(/LAST SEEN +TYPE +REASON/)
    for (const kind of ['ns', 'svc', 'cm', 'secrets', 'sa', 'pvc', 'crd', 'jobs', 'all'])
      await succeed(`get ${kind} -A`)
    const json = JSON.parse(await succeed('get nodes -o json'))
    expect(listAt(json, 'items').map(item => textAt(item, 'metadata', 'name'))).toEqual([
      'cmp-1',
      'cmp-2',
      'ctl-1',
      'ctl-2',
      'ctl-3',
    ])
    expect(await succeed('get pods -A --field-selector spec.nodeName=cmp-1 -o name')).toMatch(/^pod\/libvirt-\w{5}$/)
    expect(await succeed('get nodes --chunk-size=2 -o name')).toBe(
      'node/cmp-1\nnode/cmp-2\nnode/ctl-1\nnode/ctl-2\nnode/ctl-3',
    )
  })

  test('get -w follows a cordon', async () => {
    const child = spawn('kubectl', ['get', 'nodes', 'cmp-1', '-w'], { env: environment() })
    let text = ''
    child.stdout.on('data', chunk => {
      text += String(chunk)
    })
    await until('the first line', () => /cmp-1 +Ready /.test(text))
    await succeed('cordon cmp-1')
    await until('the change', () => /cmp-1 +Ready,SchedulingDisabled/.test(text))
    const closed = new Promise(resolve => child.once('close', resolve))
    child.kill()
    await closed
  })

  test('describe works for node, pod and budget', async () => {
    const host = textAt(simulator.objects.get('Pod', 'openstack', 'mariadb-0'), 'spec', 'nodeName')
    const described = await succeed(`describe node ${host}`)
    expect(described).toMatch(/Unschedulable: +false/)
    expect(described).toMatch(/HolderIdentity: +ctl-/)
    expect(described).toMatch(/openstack +mariadb-0/)
    expect(described).toMatch(/NodeReady/)
    expect(await succeed('describe pod mariadb-0 -n openstack')).toMatch(/Controlled By: +StatefulSet\/mariadb/)
    expect(await succeed('describe pdb mariadb -n openstack')).toMatch(/Allowed disruptions: +1/)
  })

  test('cordon and uncordon, for real and as a dry run', async () => {
    expect(await succeed('cordon cmp-1 --dry-run=server')).toBe('node/cmp-1 cordoned (server dry run)')
    expect(at(simulator.objects.get('Node', null, 'cmp-1'), 'spec', 'unschedulable')).toBeUndefined()
    expect(await succeed('cordon cmp-1')).toBe('node/cmp-1 cordoned')
    expect(await succeed('cordon cmp-1')).toBe('node/cmp-1 already cordoned')
    expect(await succeed('get node cmp-1')).toMatch(/Ready,SchedulingDisabled/)
    expect(await succeed('uncordon cmp-1')).toBe('node/cmp-1 uncordoned')
    expect(at(simulator.objects.get('Node', null, 'cmp-1'), 'spec', 'unschedulable')).toBeUndefined()
  })

  test('drain evicts every pod but those of DaemonSets, and a dry run none', async () => {
    const options = '--ignore-daemonsets --delete-emptydir-data'
    const rehearsal = await succeed(`drain ctl-1 ${options} --dry-run=server`)
    expect(rehearsal).toMatch(/evicting pod openstack\/mariadb-\d \(server dry run\)/)
    expect(await succeed('get pods -n openstack --field-selector spec.nodeName=ctl-1 -o name')).toMatch(/mariadb/)
    expect(await succeed(`drain ctl-1 ${options} --timeout=30s`)).toMatch(/node\/ctl-1 drained$/)
    expect(await succeed('get pods -n openstack --field-selector spec.nodeName=ctl-1 -o name')).toBe('')
    expect(await succeed(`drain cmp-1 ${options}`)).toMatch(/node\/cmp-1 drained$/)
    expect(await succeed('get pods -A --field-selector spec.nodeName=cmp-1 -o name')).toMatch(/libvirt/)
  })

  test('drain refuses a naked pod and local data without its flags, and stays cordoned', async () => {
    simulator.objects.create(barePod('naked', { nodeName: 'ctl-2' }))
    const said = await kubectl('drain ctl-2 --ignore-daemonsets')
    expect(said.code).toBe(1)
    expect(said.error).toMatch(
      /cannot delete Pods that declare no controller \(use --force to override\): openstack\/naked/,
    )
    expect(said.error).toMatch(
      /cannot delete Pods with local storage \(use --delete-emptydir-data to override\): openstack\/keystone-/,
    )
    expect(await succeed('get node ctl-2')).toMatch(/SchedulingDisabled/)
  })

  test('drain waits for a budget and gives up at its time-out', async () => {
    simulator.objects.change('PodDisruptionBudget', 'openstack', 'mariadb', budget => ({
      ...budget,
      spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'mariadb' } } },
    }))
    await until(
      'the budget',
      () =>
        at(simulator.objects.get('PodDisruptionBudget', 'openstack', 'mariadb'), 'status', 'disruptionsAllowed') === 0,
    )
    const said = await kubectl('drain ctl-1 --ignore-daemonsets --delete-emptydir-data --timeout=1s')
    expect(said.code).toBe(1)
    expect(said.error).toMatch(/Cannot evict pod as it would violate the pod's disruption budget/)
    expect(said.error).toMatch(/global timeout reached: 1s/)
  })

  test('annotate, label, taint and patch change what they say', async () => {
    await succeed('annotate node cmp-1 openstack.lcm.mirantis.com/instance_migration_mode=manual')
    await succeed('label node cmp-1 rack=r1')
    await succeed('taint node cmp-1 a=b:NoSchedule')
    expect(simulator.objects.get('Node', null, 'cmp-1')?.metadata).toMatchObject({
      annotations: { 'openstack.lcm.mirantis.com/instance_migration_mode': 'manual' },
      labels: { rack: 'r1' },
    })
    expect(await succeed('get nodes -l rack=r1 -o name')).toBe('node/cmp-1')
    await succeed('annotate node cmp-1 openstack.lcm.mirantis.com/instance_migration_mode-')
    await succeed('taint node cmp-1 a-')
    for (const [type, patch] of [
      ['merge', '{"metadata":{"labels":{"x":"merge"}}}'],
      ['strategic', '{"metadata":{"labels":{"x":"strategic"}}}'],
      ['json', '[{"op":"replace","path":"/metadata/labels/x","value":"json"}]'],
    ]) {
      await succeed(`patch node cmp-1 --type=${type} -p ${patch}`)
      expect(simulator.objects.get('Node', null, 'cmp-1')?.metadata.labels?.x).toBe(type)
    }
  })

  test('apply creates and updates a Deployment, and sees when nothing changed', async () => {
    const web = (image: string) =>
      workload('Deployment', 'web', { replicas: 2 }, { containers: [{ name: 'c', image }] })
    expect(await succeed(`apply -f ${file('one.yaml', web('x:1'))}`)).toBe('deployment.apps/web created')
    await succeed('rollout status deployment/web -n openstack --timeout=20s')
    expect(await succeed(`apply -f ${file('two.yaml', web('x:2'))}`)).toBe('deployment.apps/web configured')
    expect(await succeed(`apply -f ${file('two.yaml', web('x:2'))}`)).toBe('deployment.apps/web unchanged')
    await succeed('rollout status deployment/web -n openstack --timeout=20s')
    expect(await succeed('get deployment web -n openstack -o jsonpath={.spec.template.spec.containers[*].image}')).toBe(
      'x:2',
    )
    await succeed('scale deployment/web -n openstack --replicas=1')
    await succeed('delete deployment web -n openstack --wait --cascade=foreground --timeout=20s')
    expect(await succeed('get deployments,rs -n openstack -l app=web -o name')).toBe('')
  })

  test('apply creates a CustomResourceDefinition and objects of it', async () => {
    const definition: KubernetesObject = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'locks.demo.io' },
      spec: {
        group: 'demo.io',
        scope: 'Namespaced',
        names: { plural: 'locks', singular: 'lock', kind: 'Lock', shortNames: ['lk'] },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            subresources: { status: {} },
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
            additionalPrinterColumns: [{ name: 'State', type: 'string', jsonPath: '.status.state' }],
          },
        ],
      },
    }
    const lock = (nodeName: string): KubernetesObject => ({
      apiVersion: 'demo.io/v1',
      kind: 'Lock',
      metadata: { name: 'a', namespace: 'openstack' },
      spec: { nodeName },
    })
    await succeed(`apply -f ${file('crd.yaml', definition)}`)
    await succeed('wait --for=condition=Established crd/locks.demo.io --timeout=10s')
    expect(await succeed(`apply -f ${file('a.yaml', lock('cmp-1'))}`)).toBe('lock.demo.io/a created')
    expect(await succeed(`apply -f ${file('b.yaml', lock('cmp-2'))}`)).toBe('lock.demo.io/a configured')
    await succeed('patch lk a -n openstack --subresource=status --type=merge -p {"status":{"state":"active"}}')
    expect(await succeed('get locks -n openstack')).toMatch(/^NAME +STATE\na +active$/)
    await succeed('wait lock/a -n openstack --for=jsonpath={.status.state}=active --timeout=10s')
    await succeed('delete lock a -n openstack')
    expect(await succeed('api-resources')).toMatch(/locks +lk +demo\.io\/v1 +true +Lock/)
  })

  test('wait and delete follow a pod to its end', async () => {
    // One without a successor: kubectl asks for the pod, then lists it by its name, and waits in vain where another one is called so by then.
    simulator.objects.create(barePod('naked', { nodeName: 'ctl-2' }))
    await succeed('wait --for=condition=Ready pod/naked -n openstack --timeout=20s')
    await succeed('delete pod naked -n openstack --timeout=20s')
    expect(simulator.objects.get('Pod', 'openstack', 'naked')).toBeNull()
    const first = simulator.objects.get('Pod', 'openstack', 'mariadb-0')?.metadata.uid
    await succeed('delete pod mariadb-0 -n openstack --wait=false')
    await until('its successor', () => {
      const uid = simulator.objects.get('Pod', 'openstack', 'mariadb-0')?.metadata.uid
      return uid !== undefined && uid !== first
    })
    expect(await succeed('wait --for=condition=Ready pod/mariadb-0 -n openstack --timeout=20s')).toBe(
      'pod/mariadb-0 condition met',
    )
    await succeed('wait --for=condition=Ready node --all --timeout=10s')
  })

  test('auth tells what the administrator and the viewer may do', async () => {
    expect(await succeed('auth can-i create pods --subresource=eviction -n openstack')).toBe('yes')
    expect(await succeed('auth can-i --list')).toMatch(/\*\.\*/)
    expect(await succeed('auth whoami -o jsonpath={.status.userInfo.username}')).toBe('demo-admin')
    expect(await kubectl('auth can-i patch nodes', 'viewer')).toMatchObject({ code: 1, out: 'no' })
    expect((await kubectl('get nodes', 'viewer')).error).toMatch(/User "viewer" cannot list resource "nodes"/)
    simulator.faults.deny({ verb: 'patch', resource: 'nodes' })
    expect((await kubectl('auth can-i patch nodes')).out).toBe('no')
    expect((await kubectl('cordon cmp-1')).error).toMatch(/is forbidden/)
  })

  test('create and delete work for namespaces, config maps and secrets', async () => {
    await succeed('create namespace fresh')
    await succeed('create configmap a -n fresh --from-literal=x=y')
    await succeed('create secret generic b -n fresh --from-literal=x=y')
    await succeed('create pdb c -n fresh --min-available=50% --selector=a=b')
    expect(await succeed('get configmap a -n fresh -o jsonpath={.data.x}')).toBe('y')
    expect(await succeed('get pdb c -n fresh -o jsonpath={.spec}')).toBe(
      '{"minAvailable":"50%","selector":{"matchLabels":{"a":"b"}}}',
    )
    await succeed('delete namespace fresh --timeout=20s')
    expect((await kubectl('get namespace fresh')).error).toBe(
      'Error from server (NotFound): namespaces "fresh" not found',
    )
  })

  test('exec runs a command of a pod, with its output and its exit code', async () => {
    const tools = { name: 'tools', namespace: 'openstack', labels: { app: 'tools' } }
    simulator.objects.create({ ...barePod('tools'), metadata: tools })
    simulator.onExec('openstack', { app: 'tools' }, command =>
      command[0] === 'greet' ? { exitCode: 3, stdout: `hello ${command[1]}\n`, stderr: 'and goodbye\n' } : null,
    )
    await succeed('wait -n openstack --for=condition=Ready pod/tools --timeout=10s')
    const said = await kubectl('exec -n openstack tools -- greet you')
    expect(said).toMatchObject({ code: 3, out: 'hello you' })
    expect(said.error).toContain('and goodbye')
    expect(await kubectl('exec -n openstack tools -- greet you', 'viewer')).toMatchObject({ code: 1 })
  })
})
