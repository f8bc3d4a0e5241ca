import { Button, FormGroup, TagInput } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { DEFAULT_INSTANCE_MATCHERS, DEFAULT_NODE_MATCHERS, signalsOf } from '../../../shared/domain/signals.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { keepAlertmanager, testAlertmanager } from './bridge/signals.ts'
import { EndpointFields, endpointDraft, endpointOf } from './endpoint-fields.tsx'
import { useSignal } from './use-signal.ts'

/** The Alertmanager whose alerts are silenced during runs. */
export function AlertmanagerSettings({ cluster }: { readonly cluster: Cluster }): ReactNode {
  const { alertmanager } = signalsOf(cluster)
  const { busy, failure, run } = useSignal()
  const [draft, setDraft] = useState(() => endpointDraft(alertmanager?.endpoint ?? null))
  const [nodes, setNodes] = useState<readonly string[]>(alertmanager?.nodeMatchers ?? DEFAULT_NODE_MATCHERS)
  const [instances, setInstances] = useState<readonly string[]>(
    alertmanager?.instanceMatchers ?? DEFAULT_INSTANCE_MATCHERS,
  )
  const [answer, setAnswer] = useState<string | null>(null)
  const id = useId()
  const save = () => {
    const { endpoint, secret } = endpointOf(draft)
    const settings = { endpoint, nodeMatchers: [...nodes], instanceMatchers: [...instances] }
    void run(
      () => keepAlertmanager({ cluster: cluster.name, settings, secret }),
      `Runs on ${cluster.name} silence alerts of their nodes.`,
    )
  }
  const test = async () => {
    const tested = await run(() => testAlertmanager(cluster.name))
    setAnswer(tested === null ? null : `Alertmanager ${tested.version} answers.`)
  }
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>Silences in Alertmanager</h2>
      <p className="quiet">
        Silences the current node and its instances while a run works on them. <code>NODE</code>,{' '}
        <code>INSTANCE_ID</code> and <code>INSTANCE_NAME</code> are replaced; each line makes one silence.
      </p>
      <EndpointFields draft={draft} onEdit={more => setDraft({ ...draft, ...more })} />
      <Templates label="Alerts of a node" values={nodes} onChange={setNodes} />
      <Templates label="Alerts of its instances" values={instances} onChange={setInstances} />
      <div className="row buttons">
        <Button
          text="Save Alertmanager"
          loading={busy}
          disabled={draft.url === '' || nodes.length === 0}
          onClick={save}
        />
        {alertmanager === null ? null : (
          <>
            <Button text="Test the saved settings" disabled={busy} onClick={() => void test()} />
            <Button
              variant="minimal"
              text="Remove the silence settings"
              disabled={busy}
              onClick={() =>
                void run(
                  () => keepAlertmanager({ cluster: cluster.name, settings: null, secret: null }),
                  `The silence settings of ${cluster.name} are removed.`,
                )
              }
            />
          </>
        )}
        {answer === null ? null : (
          <span role="status" className="quiet">
            {answer}
          </span>
        )}
      </div>
      {failure === null ? null : <FailureCallout title="That failed" failure={failure} />}
    </section>
  )
}

interface TemplatesProps {
  readonly label: string
  readonly values: readonly string[]
  readonly onChange: (values: readonly string[]) => void
}

function Templates({ label, values, onChange }: TemplatesProps): ReactNode {
  const id = useId()
  return (
    <FormGroup label={label} labelFor={id}>
      <TagInput
        inputProps={{ id, spellCheck: false }}
        values={[...values]}
        addOnBlur
        // A matcher may contain a comma.
        separator={false}
        onChange={given =>
          onChange(given.filter(value => typeof value === 'string' && value.trim() !== '').map(String))
        }
      />
    </FormGroup>
  )
}
