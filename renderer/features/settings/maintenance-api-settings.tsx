import { Button, Checkbox, FormGroup, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import {
  ControllerChoice,
  ControllerName,
  type MaintenanceApiSettings,
} from '../../../shared/domain/maintenance-api.ts'
import { listed } from '../../../shared/grammar/counts.ts'
import { CHOICE_WORDS, CONTROLLER_WORDS } from '../../../shared/words/controllers.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { useProposals } from '../../ui/plan/use-proposals.ts'
import { useChange } from '../../ui/use-change.ts'
import { MaintenanceLimits } from './maintenance-limits.tsx'
import { MaintenancePlaces } from './maintenance-places.tsx'

/** How the node maintenance API is used on a cluster: who answers, how many at once, when somebody is asked. */
export function MaintenanceApiSettingsForm({ cluster }: { readonly cluster: Cluster }): ReactNode {
  const { busy, failure, change } = useChange(cluster.name)
  const [settings, setSettings] = useState(cluster.maintenanceApi)
  const proposals = useProposals(cluster.name)
  const id = useId()
  const edit = (more: Partial<MaintenanceApiSettings>) => setSettings({ ...settings, ...more })
  const changed = JSON.stringify(settings) !== JSON.stringify(cluster.maintenanceApi)
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
                    : 'Who answers there is not known.'
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
          title={`Who answers on ${cluster.name} could not be looked up`}
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
