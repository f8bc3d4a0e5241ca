import type { Envelope, RequestInput, RequestOutput } from '../../shared/contract/index.ts'
import { ask, pathOfDropped } from './transport.ts'

/** The contexts that kubeconfig files offer; without paths, those that kubectl would read. */
export function inspectKubeconfig(paths: readonly string[]): Promise<Envelope<RequestOutput<'kubeconfig.inspect'>>> {
  return ask('kubeconfig.inspect', { paths: [...paths] })
}

/** The clouds of a clouds.yaml; without a path, the one that the OpenStack client would read. */
export function inspectClouds(path: string | null): Promise<Envelope<RequestOutput<'clouds.inspect'>>> {
  return ask('clouds.inspect', { path })
}

/** What files of this machine offer to be registered; null: those in the usual places. */
export function foundClusters(files: readonly string[] | null): Promise<Envelope<RequestOutput<'cluster.found'>>> {
  return ask('cluster.found', { files: files === null ? null : [...files] })
}

export { pathOfDropped }

/** Files of a kind in their usual places. */
export async function suggestFiles(kind: 'kubeconfig' | 'clouds'): Promise<readonly string[]> {
  const answer = await ask('file.suggest', { kind })
  return answer.ok ? answer.value.paths : []
}

/** Opens the desktop's file dialog; null when nothing was chosen. */
export function pickFiles(kind: 'kubeconfig' | 'clouds'): Promise<Envelope<RequestOutput<'file.pick'>>> {
  return ask('file.pick', { kind })
}

/** Agrees to exactly the command that was shown. */
export function consentToPlugin(
  input: RequestInput<'exec-plugin.consent'>,
): Promise<Envelope<RequestOutput<'exec-plugin.consent'>>> {
  return ask('exec-plugin.consent', input)
}

/** The addresses of the cloud's catalogue that are not on Keystone's own host, or less safe; Keystone is asked afresh. */
export function foreignEndpoints(name: string): Promise<Envelope<RequestOutput<'cluster.endpoints'>>> {
  return ask('cluster.endpoints', { name })
}

/** Agrees that tokens go to exactly the addresses that were shown. */
export function agreeToEndpoints(
  input: RequestInput<'cluster.agree-to-endpoints'>,
): Promise<Envelope<RequestOutput<'cluster.agree-to-endpoints'>>> {
  return ask('cluster.agree-to-endpoints', input)
}

/** Tests a context and a cloud without registering them. */
export function tryCluster(input: RequestInput<'cluster.try'>): Promise<Envelope<RequestOutput<'cluster.try'>>> {
  return ask('cluster.try', input)
}

/** Tests a registered cluster. */
export function testCluster(name: string): Promise<Envelope<RequestOutput<'cluster.test'>>> {
  return ask('cluster.test', { name })
}

/** Registers a cluster; nothing is done to it. */
export function addCluster(input: RequestInput<'cluster.add'>): Promise<Envelope<RequestOutput<'cluster.add'>>> {
  return ask('cluster.add', input)
}

/** Changes settings of a registered cluster. */
export function updateCluster(
  input: RequestInput<'cluster.update'>,
): Promise<Envelope<RequestOutput<'cluster.update'>>> {
  return ask('cluster.update', input)
}

/** Forgets a cluster; nothing in it is touched. */
export function removeCluster(name: string): Promise<Envelope<RequestOutput<'cluster.remove'>>> {
  return ask('cluster.remove', { name })
}
