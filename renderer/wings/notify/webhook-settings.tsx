import { Button, Checkbox, FormGroup, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import type { RequestOutput } from '../../../shared/contract/index.ts'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { signalsOf, type Webhook, WebhookEvent, WebhookForm } from '../../../shared/domain/signals.ts'
import { EVENT_WORDS, FORM_WORDS, testedWords } from '../../../shared/words/signals.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { keepWebhook, removeWebhook, testWebhook } from './bridge/signals.ts'
import { useSignal } from './use-signal.ts'

/** The webhooks of a cluster. Addresses and keys are typed here and never shown again. */
export function WebhookSettings({ cluster }: { readonly cluster: Cluster }): ReactNode {
  const { webhooks } = signalsOf(cluster)
  const [adding, setAdding] = useState(false)
  const id = useId()
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>Webhooks</h2>
      {webhooks.length === 0 ? <p className="quiet">There is no webhook.</p> : null}
      <ul className="plain-list set-list">
        {webhooks.map(webhook => (
          <WebhookRow key={webhook.name} cluster={cluster.name} webhook={webhook} />
        ))}
      </ul>
      {adding ? (
        <NewWebhook cluster={cluster.name} taken={webhooks.map(({ name }) => name)} onDone={() => setAdding(false)} />
      ) : (
        <div className="row buttons">
          <Button text="Add a webhook" onClick={() => setAdding(true)} />
        </div>
      )}
    </section>
  )
}

function WebhookRow({ cluster, webhook }: { readonly cluster: string; readonly webhook: Webhook }): ReactNode {
  const { busy, failure, run } = useSignal()
  const [tested, setTested] = useState<RequestOutput<'webhook.test'> | null>(null)
  const { name, form, host, events } = webhook
  return (
    <li>
      <div className="row wrap set-row">
        <b className="mono">{name}</b>
        <span>
          {FORM_WORDS[form]} to <span className="mono">{host}</span>
        </span>
        <span className="quiet set-grow">{events.map(event => EVENT_WORDS[event]).join(', ')}</span>
        <Button
          size="small"
          text="Test"
          aria-label={`Test webhook ${name}`}
          loading={busy}
          onClick={() => void run(() => testWebhook(cluster, name)).then(setTested)}
        />
        <Button
          size="small"
          variant="minimal"
          text="Remove"
          aria-label={`Remove webhook ${name}`}
          disabled={busy}
          onClick={() => void run(() => removeWebhook(cluster, name), `Webhook ${name} is removed.`)}
        />
      </div>
      {tested === null ? null : (
        <p role="status" className={tested.arrived ? 'quiet' : 'caution'}>
          {testedWords('it', tested)}
        </p>
      )}
      {failure === null ? null : <FailureCallout title="That failed" failure={failure} />}
    </li>
  )
}

interface NewWebhookProps {
  readonly cluster: string
  /** Names of other webhooks, which must stay unique. */
  readonly taken: readonly string[]
  readonly onDone: () => void
}

function NewWebhook({ cluster, taken, onDone }: NewWebhookProps): ReactNode {
  const { busy, failure, run } = useSignal()
  const [name, setName] = useState('')
  const [form, setForm] = useState<WebhookForm>('json')
  const [url, setUrl] = useState('')
  const [key, setKey] = useState('')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(WebhookEvent.options)
  const id = useId()
  const isTaken = taken.includes(name)
  const save = async () => {
    if (isTaken) return
    const kept = await run(
      () => keepWebhook({ cluster, name, form, events: [...events], url, key: form === 'json' ? key : null }),
      `Webhook ${name} receives the runs on ${cluster}.`,
    )
    if (kept !== null) onDone()
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <div className="set-grid">
        <FormGroup
          label="Name"
          labelFor={`${id}-name`}
          helperText={isTaken ? `There is a webhook ${name}. Remove it first, or choose another name.` : undefined}
          intent={isTaken ? 'danger' : 'none'}
        >
          <InputGroup id={`${id}-name`} value={name} onValueChange={setName} spellCheck={false} autoComplete="off" />
        </FormGroup>
        <FormGroup label="Form" labelFor={`${id}-form`}>
          <HTMLSelect
            id={`${id}-form`}
            fill
            value={form}
            options={WebhookForm.options.map(value => ({ value, label: FORM_WORDS[value] }))}
            onChange={({ currentTarget }) => setForm(WebhookForm.parse(currentTarget.value))}
          />
        </FormGroup>
        <FormGroup
          label="Address"
          labelFor={`${id}-url`}
          helperText="https. It is kept as a secret; only its host is shown."
        >
          <InputGroup id={`${id}-url`} type="password" value={url} onValueChange={setUrl} autoComplete="off" />
        </FormGroup>
        {form === 'json' ? (
          <FormGroup
            label="Key"
            labelFor={`${id}-key`}
            helperText="At least 16 characters. The receiver verifies messages with it."
          >
            <InputGroup id={`${id}-key`} type="password" value={key} onValueChange={setKey} autoComplete="off" />
          </FormGroup>
        ) : null}
      </div>
      <Events events={events} onEvents={setEvents} />
      <div className="row buttons">
        <Button
          type="submit"
          text="Save webhook"
          loading={busy}
          disabled={name === '' || isTaken || url === '' || events.length === 0}
        />
        <Button variant="minimal" text="Cancel" onClick={onDone} />
      </div>
      {failure === null ? null : <FailureCallout title="The webhook was not saved" failure={failure} />}
    </form>
  )
}

interface EventsProps {
  readonly events: readonly WebhookEvent[]
  readonly onEvents: (events: readonly WebhookEvent[]) => void
}

function Events({ events, onEvents }: EventsProps): ReactNode {
  return (
    <fieldset className="row wrap set-choices">
      <legend>Events</legend>
      {WebhookEvent.options.map(event => (
        <Checkbox
          key={event}
          label={EVENT_WORDS[event]}
          checked={events.includes(event)}
          onChange={({ currentTarget }) =>
            onEvents(
              WebhookEvent.options.filter(each => (each === event ? currentTarget.checked : events.includes(each))),
            )
          }
        />
      ))}
    </fieldset>
  )
}
