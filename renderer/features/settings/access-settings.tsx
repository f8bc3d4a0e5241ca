import { Button } from '@blueprintjs/core'
import { type ReactNode, useCallback, useEffect, useId, useState } from 'react'
import type { ClusterTestReport, RequestOutput } from '../../../shared/contract/index.ts'
import type { KubeconfigSource } from '../../../shared/domain/cluster.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { inspectKubeconfig, testCluster } from '../../bridge/cluster-edits.ts'
import { ExecPluginConsent } from '../../ui/clusters/exec-plugin-consent.tsx'
import { PathField, TextField } from '../../ui/clusters/path-field.tsx'
import { TestReport } from '../../ui/clusters/test-report.tsx'
import { useOffers } from '../../ui/clusters/use-offers.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import type { SettingsPartProps } from './general-settings.tsx'

/** How Lockkeeper reaches a cloud: files and names in them. The test uses what is saved. */
export function AccessSettings({ cluster, draft, onEdit }: SettingsPartProps): ReactNode {
  const [report, setReport] = useState<ClusterTestReport | null>(null)
  const [testing, setTesting] = useState(false)
  const [refused, setRefused] = useState<Failure | null>(null)
  const id = useId()
  const test = async () => {
    setTesting(true)
    const answer = await testCluster(cluster.name)
    setTesting(false)
    setReport(answer.ok ? answer.value : null)
    setRefused(answer.ok ? null : answer.failure)
  }
  return (
    <section id="set-access" className="panel" aria-labelledby={id}>
      <h2 id={id}>Access</h2>
      <div className="set-access">
        <PathField kind="kubeconfig" label="Kubeconfig" value={draft.paths} onChange={paths => onEdit({ paths })} />
        <TextField label="Context" value={draft.context} onChange={context => onEdit({ context })} />
        <PathField
          kind="clouds"
          label="clouds.yaml"
          value={draft.cloudsFile}
          onChange={cloudsFile => onEdit({ cloudsFile })}
        />
        <TextField
          label="Cloud"
          help="Empty: Kubernetes only."
          value={draft.cloud}
          onChange={cloud => onEdit({ cloud })}
        />
      </div>
      <div className="row buttons">
        <Button text="Test the saved settings" loading={testing} onClick={() => void test()} />
      </div>
      <PluginOfCluster key={JSON.stringify(cluster.kubeconfig)} kubeconfig={cluster.kubeconfig} />
      {refused === null ? null : <FailureCallout title="The cloud could not be tested" failure={refused} />}
      {report === null ? null : <TestReport report={report} />}
    </section>
  )
}

/**
 * The command of the saved kubeconfig, if it has one. The operator agrees again here if the file or the program has changed. The
 * test of the cluster reports an unreadable file.
 */
function PluginOfCluster({ kubeconfig }: { readonly kubeconfig: KubeconfigSource }): ReactNode {
  const { paths, context: name } = kubeconfig
  const { value, read } = useOffers<RequestOutput<'kubeconfig.inspect'>>()
  const look = useCallback(() => read(() => inspectKubeconfig(paths), true), [read, paths])
  useEffect(() => void look(), [look])
  const context = value?.contexts.find(offer => offer.name === name)
  if (value === null || !context?.execPlugin) return null
  return <ExecPluginConsent paths={value.paths} context={context} onConsented={() => void look()} />
}
