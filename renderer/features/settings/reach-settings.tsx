import { Button, FormGroup, InputGroup } from '@blueprintjs/core'
import { type ReactNode, useCallback, useEffect, useId, useState } from 'react'
import type { ClusterTestReport, RequestOutput } from '../../../shared/contract/index.ts'
import type { Cluster, KubeconfigSource } from '../../../shared/domain/cluster.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { inspectKubeconfig, testCluster } from '../../bridge/cluster-edits.ts'
import { ExecPluginConsent } from '../../ui/clusters/exec-plugin-consent.tsx'
import { TestReport } from '../../ui/clusters/test-report.tsx'
import { useOffers } from '../../ui/clusters/use-offers.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { useChange } from '../../ui/use-change.ts'

/** How Lockkeeper reaches a cluster: files and names in them, changed together and tested here. */
export function ReachSettings({ cluster }: { readonly cluster: Cluster }): ReactNode {
  const { busy, failure, change } = useChange(cluster.name)
  const [paths, setPaths] = useState(cluster.kubeconfig.paths.join(':'))
  const [context, setContext] = useState(cluster.kubeconfig.context)
  const [cloudsFile, setCloudsFile] = useState(cluster.cloud?.path ?? '')
  const [cloud, setCloud] = useState(cluster.cloud?.cloud ?? '')
  const [report, setReport] = useState<ClusterTestReport | null>(null)
  const [testing, setTesting] = useState(false)
  const [refused, setRefused] = useState<Failure | null>(null)
  const id = useId()
  const changed =
    paths !== cluster.kubeconfig.paths.join(':') ||
    context !== cluster.kubeconfig.context ||
    cloudsFile !== (cluster.cloud?.path ?? '') ||
    cloud !== (cluster.cloud?.cloud ?? '')
  const save = () =>
    void change(
      {
        kubeconfig: { paths: paths.split(':').filter(path => path !== ''), context },
        cloud: cloud === '' ? null : { path: cloudsFile, cloud },
      },
      `Lockkeeper reaches ${cluster.name} this way now.`,
    )
  const test = async () => {
    setTesting(true)
    const answer = await testCluster(cluster.name)
    setTesting(false)
    setReport(answer.ok ? answer.value : null)
    setRefused(answer.ok ? null : answer.failure)
  }
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>Access</h2>
      <div className="set-grid">
        <Field label="Kubeconfig (several separated by :)" value={paths} onChange={setPaths} />
        <Field label="Context" value={context} onChange={setContext} />
        <Field label="clouds.yaml" value={cloudsFile} onChange={setCloudsFile} />
        <Field label="Cloud (empty: Kubernetes only)" value={cloud} onChange={setCloud} />
      </div>
      <div className="row buttons">
        <Button text="Save" disabled={!changed} loading={busy} onClick={save} />
        <Button text="Test the saved settings" loading={testing} onClick={() => void test()} />
      </div>
      <PluginOfCluster key={JSON.stringify(cluster.kubeconfig)} kubeconfig={cluster.kubeconfig} />
      {failure === null ? null : <FailureCallout title="The access was not changed" failure={failure} />}
      {refused === null ? null : <FailureCallout title="The cloud could not be tested" failure={refused} />}
      {report === null ? null : <TestReport report={report} />}
    </section>
  )
}

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

function Field({ label, value, onChange }: FieldProps): ReactNode {
  const id = useId()
  return (
    <FormGroup label={label} labelFor={id}>
      <InputGroup id={id} value={value} onValueChange={onChange} spellCheck={false} />
    </FormGroup>
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
