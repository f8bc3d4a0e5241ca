import { Button, FormGroup, InputGroup } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import type { RequestOutput } from '../../../shared/contract/index.ts'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { type HealthGate, readStopsWhen, stopWords } from '../../../shared/domain/health-gates.ts'
import { isSameJson } from '../../../shared/domain/is-same-json.ts'
import { signalsOf } from '../../../shared/domain/signals.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { keepGates, testGates } from './bridge/signals.ts'
import { EndpointFields, endpointDraft, endpointOf } from './endpoint-fields.tsx'
import { useSignal } from './use-signal.ts'

/** The operator's own measures, read before each node. */
export function GateSettings({ cluster }: { readonly cluster: Cluster }): ReactNode {
  const { health } = signalsOf(cluster)
  const { busy, failure, run } = useSignal()
  const [draft, setDraft] = useState(() => endpointDraft(health?.endpoint ?? null))
  const [gates, setGates] = useState<readonly HealthGate[]>(health?.gates ?? [])
  const [tested, setTested] = useState<RequestOutput<'gates.test'> | null>(null)
  const id = useId()
  const save = () => {
    const { endpoint, secret } = endpointOf(draft)
    const settings = gates.length === 0 ? null : { endpoint, gates: [...gates] }
    void run(
      () => keepGates({ cluster: cluster.name, settings, secret: settings === null ? null : secret }),
      `New plans for ${cluster.name} use these health gates.`,
    )
  }
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>Health gates</h2>
      <p className="quiet">
        Lockkeeper asks Prometheus before each node. While a gate stops or has no answer, no further node starts.
      </p>
      <EndpointFields draft={draft} onEdit={more => setDraft({ ...draft, ...more })} />
      <ul className="plain-list set-list">
        {gates.map(gate => {
          const answer = tested?.find(({ name }) => name === gate.name)
          return (
            <li key={gate.name}>
              <div className="row wrap set-row">
                <b>{gate.name}</b>
                <code className="set-grow">{gate.query}</code>
                <span>stops when {stopWords(gate.stopsWhen)}</span>
                <Button
                  size="small"
                  variant="minimal"
                  text="Remove"
                  aria-label={`Remove health gate ${gate.name}`}
                  onClick={() => setGates(gates.filter(each => each !== gate))}
                />
              </div>
              {answer === undefined ? null : (
                <p role="status" className={answer.kind === 'healthy' ? 'quiet' : 'caution'}>
                  {answer.kind === 'healthy' ? 'Passes' : answer.kind === 'stops' ? 'Stops' : 'No answer'}:{' '}
                  {answer.words}
                </p>
              )}
            </li>
          )
        })}
      </ul>
      <NewGate
        taken={gates.map(({ name }) => name)}
        onAdd={gate => {
          setGates([...gates, gate])
          setTested(null)
        }}
      />
      <div className="row buttons">
        <Button
          text="Save gates"
          loading={busy}
          disabled={gates.length === 0 ? health === null : draft.url === ''}
          onClick={save}
        />
        {health === null ? null : (
          <Button
            text="Test the saved settings"
            disabled={busy}
            onClick={() => void run(() => testGates(cluster.name)).then(setTested)}
          />
        )}
        {isSameJson(gates, health?.gates ?? []) ? null : <span className="quiet">Not saved yet.</span>}
      </div>
      {failure === null ? null : <FailureCallout title="That failed" failure={failure} />}
    </section>
  )
}

interface NewGateProps {
  readonly taken: readonly string[]
  readonly onAdd: (gate: HealthGate) => void
}

function NewGate({ taken, onAdd }: NewGateProps): ReactNode {
  const [name, setName] = useState('')
  const [query, setQuery] = useState('')
  const [stops, setStops] = useState('')
  const id = useId()
  const stopsWhen = readStopsWhen(stops)
  const isFit = name.trim() !== '' && query.trim() !== '' && stopsWhen !== null && !taken.includes(name.trim())
  const add = () => {
    if (stopsWhen === null || !isFit) return
    onAdd({ name: name.trim(), query: query.trim(), stopsWhen })
    setName('')
    setQuery('')
    setStops('')
  }
  return (
    <div className="set-grid">
      <FormGroup label="Gate" labelFor={`${id}-name`} helperText="For example: error rate.">
        <InputGroup id={`${id}-name`} value={name} onValueChange={setName} />
      </FormGroup>
      <FormGroup label="Query (PromQL)" labelFor={`${id}-query`}>
        <InputGroup id={`${id}-query`} className="mono" value={query} spellCheck={false} onValueChange={setQuery} />
      </FormGroup>
      <FormGroup label="Stops when" labelFor={`${id}-stops`} helperText="For example: > 0.01">
        <InputGroup
          id={`${id}-stops`}
          value={stops}
          spellCheck={false}
          onValueChange={setStops}
          rightElement={<Button size="small" text="Add" disabled={!isFit} onClick={add} />}
        />
      </FormGroup>
    </div>
  )
}
