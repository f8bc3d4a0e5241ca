import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { mergedOf, singleContext } from './kubeconfig.ts'
import type { KubeconfigContext } from './kubeconfig-entries.ts'
import type { RawObject } from './raw.ts'

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount'

export const IN_CLUSTER = 'in-cluster'

interface PodEnvironment {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly folder?: string | undefined
}

/** The cluster of this pod, with its ServiceAccount. The session reads the token file again, because the kubelet renews it. */
export async function inClusterContext(pod: PodEnvironment): Promise<Result<KubeconfigContext>> {
  const document = kubeconfigOfPod(pod)
  if (!document.ok) return document
  const config = await mergedOf([{ file: `${pod.folder ?? SERVICE_ACCOUNT}/…`, top: document.value }])
  return config.ok ? singleContext(config.value, null) : config
}

/** The same as a kubeconfig for programs that take files: it refers to the pod's files and holds no secret. JSON is valid YAML. */
export function inClusterKubeconfig(pod: PodEnvironment): Result<string> {
  const document = kubeconfigOfPod(pod)
  return document.ok ? ok(`${JSON.stringify(document.value, null, 2)}\n`) : document
}

function kubeconfigOfPod(pod: PodEnvironment): Result<RawObject> {
  const server = serverOf(pod)
  if (!server.ok) return server
  const { folder = SERVICE_ACCOUNT } = pod
  const name = IN_CLUSTER
  return ok({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: { server: server.value, 'certificate-authority': `${folder}/ca.crt` } }],
    users: [{ name, user: { tokenFile: `${folder}/token` } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  })
}

export function inClusterNamespaceFile(pod: Pick<PodEnvironment, 'folder'>): string {
  return `${pod.folder ?? SERVICE_ACCOUNT}/namespace`
}

function serverOf({ environment }: PodEnvironment): Result<string> {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '' } = environment
  if (host === '' || port === '') {
    return failed(refusal('bad-input', because('NotInAPod')))
  }
  return ok(`https://${host.includes(':') ? `[${host}]` : host}:${port}`)
}
