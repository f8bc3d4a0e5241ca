import { Button, Checkbox, FormGroup, HTMLSelect, InputGroup, NumericInput } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import { minutes } from '../../../shared/domain/durations.ts'
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
import type { SettingsPartProps } from './general-settings.tsx'
import type { ApiPlace } from './settings-draft.ts'

const NUMBERS = [
  {
    key: 'computeMax',
    label: 'Compute nodes at a time',
    help: 'nwl_parallel_max_compute of the cluster. 1, the default, allows only one inactive node lock at a time, as the vendor documents.',
    unit: 1,
    most: 500,
  },
  {
    key: 'gatewayMax',
    label: 'Gateway nodes at a time',
    help: 'nwl_parallel_max_gateway. Control-plane nodes: always one.',
    unit: 1,
    most: 100,
  },
  {
    key: 'blockedAfterMs',
    label: 'Ask after (minutes)',
    help: 'A lock without progress for this long asks you.',
    unit: minutes(1),
    most: 24 * 60,
  },
] as const

const PLACES = [
  { key: 'cephNamespace', of: 'ceph', label: "Namespace of Ceph's toolbox", help: 'The namespace of Rook.' },
  { key: 'cephToolbox', of: 'ceph', label: "Labels of Ceph's toolbox", help: 'The pod in which Lockkeeper runs ceph.' },
  {
    key: 'tungstenFabricNamespace',
    of: 'tungstenfabric',
    label: 'Namespace of Tungsten Fabric',
    help: 'The namespace of its vRouters.',
  },
  { key: 'vrouterPods', of: 'tungstenfabric', label: 'Labels of its vRouters', help: 'All of a node must be ready.' },
  {
    key: 'stacklightNamespace',
    of: 'stacklight',
    label: 'Namespace of StackLight',
    help: 'The namespace of its pods.',
  },
] as const satisfies readonly {
  readonly key: ApiPlace
  readonly of: ControllerName
  readonly label: string
  readonly help: string
}[]

/** How Lockkeeper uses the node maintenance API of a cluster: controllers, numbers at a time, and when it asks you. */
export function MaintenanceApiSettingsForm({ cluster, draft, onEdit }: SettingsPartProps): ReactNode {
  const settings = draft.maintenanceApi
  const id = useId()
  const edit = (more: Partial<MaintenanceApiSettings>) => onEdit({ maintenanceApi: more })
  return (
    <section id="set-api" className="panel" aria-labelledby={id}>
      <h2 id={id}>Node maintenance API</h2>
      <h3 className="set-part">Controllers</h3>
      <Controllers cluster={cluster.name} settings={settings} onEdit={edit} />
      <h3 className="set-part">Nodes at a time</h3>
      <MaintenanceLimits settings={settings} onEdit={edit} />
      <h3 className="set-part">Lockkeeper's own controllers</h3>
      <div className="set-grid">
        <FormGroup
          label="Release on their locks"
          labelFor={`${id}-release`}
          helperText="Lockkeeper refuses requests of another release. If empty, it accepts every release."
        >
          <InputGroup
            id={`${id}-release`}
            value={settings.release ?? ''}
            spellCheck={false}
            onValueChange={text => edit({ release: text })}
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
    </section>
  )
}

/** The controllers of the cluster, as set and as found. */
function Controllers({ cluster, settings, onEdit }: Props & { readonly cluster: string }): ReactNode {
  const id = useId()
  const proposals = useProposals(cluster)
  const differing = proposals.found.filter(({ controller, choice }) => settings.controllers[controller] !== choice)
  return (
    <>
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
                    ? 'Reading who answers there.'
                    : 'Lockkeeper does not know who answers there.'
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
                  if (choice.success) onEdit({ controllers: { ...settings.controllers, [name]: choice.data } })
                }}
              />
            </FormGroup>
          )
        })}
      </div>
      {proposals.failure === null ? null : (
        <FailureCallout
          title={`Lockkeeper could not read who answers on ${cluster}`}
          failure={proposals.failure}
          onRetry={proposals.again}
        />
      )}
      {differing.length === 0 ? null : (
        <p className="row caution">
          Different from what was found: {listed(differing.map(({ controller }) => CONTROLLER_WORDS[controller]))}.{' '}
          <Button
            size="small"
            text="Use what was found"
            onClick={() =>
              onEdit({
                controllers: {
                  ...settings.controllers,
                  ...Object.fromEntries(differing.map(({ controller, choice }) => [controller, choice])),
                },
              })
            }
          />
        </p>
      )}
    </>
  )
}

interface Props {
  readonly settings: MaintenanceApiSettings
  readonly onEdit: (change: Partial<MaintenanceApiSettings>) => void
}

/** Where Lockkeeper's own controllers find their systems: shown for active ones. An empty field keeps the setting. */
function MaintenancePlaces({ settings, onEdit }: Props): ReactNode {
  const id = useId()
  return PLACES.filter(({ of }) => settings.controllers[of] !== 'none').map(({ key, label, help }) => (
    <FormGroup key={key} label={label} labelFor={`${id}-${key}`} helperText={help}>
      <InputGroup
        id={`${id}-${key}`}
        className="mono"
        value={settings[key]}
        spellCheck={false}
        onValueChange={text => onEdit({ [key]: text })}
      />
    </FormGroup>
  ))
}

interface MaintenanceLimitsProps {
  readonly settings: MaintenanceApiSettings
  readonly onEdit: (change: Partial<MaintenanceApiSettings>) => void
}

/** How many nodes may be inactive at a time, by role, and when Lockkeeper asks. */
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
        label="A role at its limit blocks"
        labelFor={`${id}-role-limits`}
        helperText="Controllers in the cluster block every node."
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
