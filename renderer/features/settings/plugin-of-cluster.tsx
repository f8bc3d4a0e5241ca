import { type ReactNode, useCallback, useEffect } from 'react'
import type { RequestOutput } from '../../../shared/contract/index.ts'
import type { KubeconfigSource } from '../../../shared/domain/cluster.ts'
import { inspectKubeconfig } from '../../bridge/cluster-edits.ts'
import { ExecPluginConsent } from '../../ui/clusters/exec-plugin-consent.tsx'
import { useOffers } from '../../ui/clusters/use-offers.ts'

/**
 * The command that the saved kubeconfig asks to run, where it asks for one: a file that changed, or a program that was exchanged, is agreed to here,
 * as when the cluster was added. What cannot be read is told by the test of the cluster.
 */
export function PluginOfCluster({ kubeconfig }: { readonly kubeconfig: KubeconfigSource }): ReactNode {
  const { paths, context: name } = kubeconfig
  const { value, read } = useOffers<RequestOutput<'kubeconfig.inspect'>>()
  const look = useCallback(() => read(() => inspectKubeconfig(paths), true), [read, paths])
  useEffect(() => void look(), [look])
  const context = value?.contexts.find(offer => offer.name === name)
  if (value === null || !context?.execPlugin) return null
  return <ExecPluginConsent paths={value.paths} context={context} onConsented={() => void look()} />
}
