import type { Envelope, RequestInput, RequestOutput } from '../../shared/contract/index.ts'
import { askMain, pathOfDropped } from './transport.ts'

/** The contexts of kubeconfig files; without paths, of the files that kubectl would read. */
export function inspectKubeconfig(paths: readonly string[]): Promise<Envelope<RequestOutput<'kubeconfig.inspect'>>> {
  return askMain('kubeconfig.inspect', { paths: [...paths] })
}

/** The clouds of a clouds.yaml; without a path, of the file that the OpenStack client would read. */
export function inspectClouds(path: string | null): Promise<Envelope<RequestOutput<'clouds.inspect'>>> {
  return askMain('clouds.inspect', { path })
}

/** The clusters that files of this machine describe; null means files in the usual places. */
export function foundClusters(files: readonly string[] | null): Promise<Envelope<RequestOutput<'cluster.found'>>> {
  return askMain('cluster.found', { files: files === null ? null : [...files] })
}

export { pathOfDropped }

export async function suggestFiles(kind: 'kubeconfig' | 'clouds'): Promise<readonly string[]> {
  const answer = await askMain('file.suggest', { kind })
  return answer.ok ? answer.value.paths : []
}

/** Opens the desktop's file dialog; null if the operator chose nothing. */
export function pickFiles(kind: 'kubeconfig' | 'clouds'): Promise<Envelope<RequestOutput<'file.pick'>>> {
  return askMain('file.pick', { kind })
}

/** Agrees to exactly the command that was shown. */
export function consentToPlugin(
  input: RequestInput<'exec-plugin.consent'>,
): Promise<Envelope<RequestOutput<'exec-plugin.consent'>>> {
  return askMain('exec-plugin.consent', input)
}

/** Addresses in the cloud's catalogue that are not on Keystone's host or are less secure. Asks Keystone again. */
export function foreignEndpoints(name: string): Promise<Envelope<RequestOutput<'cluster.endpoints'>>> {
  return askMain('cluster.endpoints', { name })
}

/** Agrees that tokens go to exactly the addresses that were shown. */
export function agreeToEndpoints(
  input: RequestInput<'cluster.agree-to-endpoints'>,
): Promise<Envelope<RequestOutput<'cluster.agree-to-endpoints'>>> {
  return askMain('cluster.agree-to-endpoints', input)
}

/** Tests a context and a cloud without registering them. */
export function tryCluster(input: RequestInput<'cluster.try'>): Promise<Envelope<RequestOutput<'cluster.try'>>> {
  return askMain('cluster.try', input)
}

export function testCluster(name: string): Promise<Envelope<RequestOutput<'cluster.test'>>> {
  return askMain('cluster.test', { name })
}

/** Registers a cluster; changes nothing in it. */
export function addCluster(input: RequestInput<'cluster.add'>): Promise<Envelope<RequestOutput<'cluster.add'>>> {
  return askMain('cluster.add', input)
}

export function updateCluster(
  input: RequestInput<'cluster.update'>,
): Promise<Envelope<RequestOutput<'cluster.update'>>> {
  return askMain('cluster.update', input)
}

/** Removes a cluster from the list; changes nothing in it. */
export function removeCluster(name: string): Promise<Envelope<RequestOutput<'cluster.remove'>>> {
  return askMain('cluster.remove', { name })
}
