import type { Cluster } from '../../../../shared/domain/cluster.ts'
import type { Manifest } from './manifest.ts'
import { RUNNER_DEFINITIONS } from './runner-definitions.ts'

/** How the runner of a demo knows the cloud in which it lives. */
interface EmbeddedCloud {
  readonly name: string
  readonly kubeconfig: string
  readonly cloudsYaml: string
  readonly cloud: string
  /** As the console knows the cloud: a plan that is made by other settings differs, and is refused. */
  readonly settings: Pick<Cluster, 'flavour' | 'maintenanceApi' | 'roleMaintenance'>
}

interface EmbeddedRunner {
  readonly namespace: string
  readonly pod: string
  readonly objects: readonly Manifest[]
}

const NAMESPACE = 'lockkeeper'
const POD = 'lockkeeper-runner-0'

/** What is installed in an embedded cloud for its runner: the definitions, its pod, and the Secret of the cloud. It works as the administrator of the demo. */
export function embeddedRunner({ name, kubeconfig, cloudsYaml, cloud, settings }: EmbeddedCloud): EmbeddedRunner {
  const coded = (text: string) => Buffer.from(text).toString('base64')
  const namespace = NAMESPACE
  const objects: readonly Manifest[] = [
    ...RUNNER_DEFINITIONS,
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: `cloud-${name}`, namespace, labels: { 'lockkeeper.dev/cloud': name } },
      data: {
        kubeconfig: coded(kubeconfig),
        'clouds.yaml': coded(cloudsYaml),
        cloud: coded(cloud),
        'settings.json': coded(JSON.stringify(settings)),
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: POD, namespace, labels: { 'app.kubernetes.io/name': 'lockkeeper-runner' } },
      spec: {
        nodeSelector: { 'openstack-control-plane': 'enabled' },
        containers: [{ name: 'runner', image: 'lockkeeper' }],
      },
    },
  ]
  return { namespace, pod: POD, objects }
}
