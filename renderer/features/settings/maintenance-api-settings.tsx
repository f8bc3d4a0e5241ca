import { Button, Checkbox, FormGroup, HTMLSelect, InputGroup, NumericInput } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { minutes } from '../../../shared/domain/durations.ts'
import { isSameJson } from '../../../shared/domain/is-same-json.ts'
import {
  ControllerChoice,
  ControllerName,
  MaintenanceApiSettings,
  SEED_COMPUTE_MAX,
} from '../../../shared/domain/maintenance-api.ts'
import { listed } from '../../../shared/grammar/counts.ts'
import { CHOICE_WORDS, CONTROLLER_WORDS } from '../../../shared/words/controllers.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { useProposals } from '../../ui/plan/use-proposals.ts'
import { useChange } from '../../ui/use-change.ts'

const NUMBERS = [
  {
    key: 'computeMax',
    label: 'Compute nodes at once',
    help: "As nwl_parallel_max_compute of the cluster. 1, the default: only one node's lock inactive at a time, as the vendor's page has it.",
    unit: 1,
    most: 500,
  },
  {
    key: 'gatewayMax',
    label: 'Gateway nodes at once',
    help: 'As nwl_parallel_max_gateway. Control-plane nodes: always one.',
    unit: 1,
    most: 100,
  },
  {
    key: 'blockedAfterMs',
    label: 'Ask after (minutes)',
    help: 'A lock that has not moved for so long becomes a question to the operator.',
    unit: minutes(1),
    most: 24 * 60,
  },
] as const

const PLACES = [
  { key: 'cephNamespace', of: 'ceph', label: "Namespace of Ceph's toolbox", help: 'Where Rook keeps it.' },
  { key: 'cephToolbox', of: 'ceph', label: "Labels of Ceph's toolbox", help: 'The pod in which ceph is asked.' },
  {
    key: 'tungstenFabricNamespace',
    of: 'tungstenfabric',
    label: 'Namespace of Tungsten Fabric',
    help: 'Where its vRouters run.',
  },
  { key: 'vrouterPods', of: 'tungstenfabric', label: 'Labels of its vRouters', help: 'All of a node must be ready.' },
  {
    key: 'stacklightNamespace',
    of: 'stacklight',
    label: 'Namespace of StackLight',
    help: 'Where its pods run.',
  },
] as const

/** How the node maintenance API is used on a cluster: who answers, how many at once, when somebody is asked. */
export function MaintenanceApiSettingsForm({ cluster }: { readonly cluster: Cluster }): ReactNode {
  const { busy, failure, change } = useChange(cluster.name)
  const [settings, setSettings] = useState(cluster.maintenanceApi)
  const proposals = useProposals(cluster.name)
  const id = useId()
  const edit = (more: Partial<MaintenanceApiSettings>) => setSettings({ ...settings, ...more })
  const changed = !isSameJson(settings, cluster.maintenanceApi)
  const differing = proposals.found.filter(({ controller, choice }) => settings.controllers[controller] !== choice)
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>Node maintenance API</h2>
      <h3 className="set-part">Who answers</h3>
      <div className="set-grid">
        {ControllerName.options.map(name => {
          const found = proposals.found.find(({ controller }) => controller === name)
          return (
            <FormGroup
              key={name}
              label={CONTROLLER_WORDS[name]}
              labelFor={`${id}-${name}`}
              helperText={
                found === undefined
                  ? proposals.isReading
                    ? 'Looking who answers there.'
                    : 'It is not known who answers there.'
                  : `Found: ${CHOICE_WORDS[found.choice]}. ${found.why}`
              }
            >
              <HTMLSelect
                id={`${id}-${name}`}
                fill
                value={settings.controllers[name]}
                options={ControllerChoice.options.map(choice => ({ value: choice, label: CHOICE_WORDS[choice] }))}
                onChange={({ currentTarget }) => {
                  const choice = ControllerChoice.safeParse(currentTarget.value)
                  if (choice.success) edit({ controllers: { ...settings.controllers, [name]: choice.data } })
                }}
              />
            </FormGroup>
          )
        })}
      </div>
      {proposals.failure === null ? null : (
        <FailureCallout
          title={`Lockkeeper could not look up who answers on ${cluster.name}`}
          failure={proposals.failure}
          onRetry={proposals.again}
        />
      )}
      {differing.length === 0 ? null : (
        <p className="row caution">
          Found otherwise for {listed(differing.map(({ controller }) => CONTROLLER_WORDS[controller]))}.{' '}
          <Button
            size="small"
            text="Take what was found"
            onClick={() =>
              edit({
                controllers: {
                  ...settings.controllers,
                  ...Object.fromEntries(differing.map(({ controller, choice }) => [controller, choice])),
                },
              })
            }
          />
        </p>
      )}
      <h3 className="set-part">How many at once</h3>
      <MaintenanceLimits settings={settings} onEdit={edit} />
      <h3 className="set-part">Lockkeeper's own controllers</h3>
      <div className="set-grid">
        <FormGroup
          label="Release on their locks"
          labelFor={`${id}-release`}
          helperText="Requests of another release are refused. Empty: every release is taken."
        >
          <InputGroup
            id={`${id}-release`}
            value={settings.release ?? ''}
            spellCheck={false}
            onValueChange={text => edit({ release: text.trim() === '' ? null : text.trim() })}
          />
        </FormGroup>
        <MaintenancePlaces settings={settings} onEdit={edit} />
      </div>
      <Checkbox
        checked={settings.respectZone}
        onChange={({ currentTarget }) => edit({ respectZone: currentTarget.checked })}
      >
        A compute node of another availability zone waits until the first zone is done
      </Checkbox>
      <div className="row buttons">
        <Button
          text="Save"
          disabled={!changed}
          loading={busy}
          onClick={() =>
            void change({ maintenanceApi: settings }, `The node maintenance API of ${cluster.name} is used as set.`)
          }
        />
        {changed ? <span className="quiet">Not saved yet.</span> : null}
      </div>
      {failure === null ? null : <FailureCallout title="It was not changed" failure={failure} />}
    </section>
  )
}

interface Props {
  readonly settings: MaintenanceApiSettings
  readonly onEdit: (change: Partial<MaintenanceApiSettings>) => void
}

/** Where our own controllers find what they ask: shown for those that answer. An empty field keeps what was set. */
function MaintenancePlaces({ settings, onEdit }: Props): ReactNode {
  const id = useId()
  return PLACES.filter(({ of }) => settings.controllers[of] !== 'none').map(({ key, label, help }) => (
    <FormGroup key={key} label={label} labelFor={`${id}-${key}`} helperText={help}>
      <InputGroup
        id={`${id}-${key}`}
        className="mono"
        defaultValue={settings[key]}
        spellCheck={false}
        onValueChange={text => {
          if (text.trim() !== '') onEdit({ [key]: text.trim() })
        }}
      />
    </FormGroup>
  ))
}

interface MaintenanceLimitsProps {
  readonly settings: MaintenanceApiSettings
  readonly onEdit: (change: Partial<MaintenanceApiSettings>) => void
}

/** How many nodes may be inactive at once, by role, and after how long somebody is asked. */
function MaintenanceLimits({ settings, onEdit }: MaintenanceLimitsProps): ReactNode {
  const id = useId()
  return (
    <div className="set-grid">
      {NUMBERS.map(({ key, label, help, unit, most }) => (
        <FormGroup key={key} label={label} labelFor={`${id}-${key}`} helperText={help}>
          <NumericInput
            id={`${id}-${key}`}
            value={(settings[key] ?? SEED_COMPUTE_MAX) / unit}
            min={1}
            max={most}
            buttonPosition="none"
            clampValueOnBlur
            minorStepSize={null}
            onValueChange={value => {
              const whole = Math.round(value)
              if (whole >= 1 && whole <= most) onEdit({ [key]: whole * unit })
            }}
          />
        </FormGroup>
      ))}
      <FormGroup
        label="A role at its limit holds back"
        labelFor={`${id}-role-limits`}
        helperText="Controllers in the cluster hold back every node."
      >
        <HTMLSelect
          id={`${id}-role-limits`}
          fill
          value={settings.roleLimits}
          options={[
            { value: 'any', label: 'every node, as controllers in the cluster do' },
            { value: 'own', label: 'only nodes of that role' },
          ]}
          onChange={({ currentTarget }) => {
            const chosen = MaintenanceApiSettings.shape.roleLimits.safeParse(currentTarget.value)
            if (chosen.success) onEdit({ roleLimits: chosen.data })
          }}
        />
      </FormGroup>
    </div>
  )
}
