import { FormGroup, HTMLSelect, Switch } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import { type Cluster, ClusterFlavour, freeColour } from '../../../shared/domain/cluster.ts'
import { FLAVOUR_WORDS } from '../../../shared/words/flavours.ts'
import { useClusters } from '../../stores/clusters.ts'
import { ColourChoice } from '../../ui/clusters/colour-choice.tsx'
import type { SettingsDraft, SettingsEdits } from './settings-draft.ts'

/** What each part of the page gets. */
export interface SettingsPartProps {
  readonly cluster: Cluster
  readonly draft: SettingsDraft
  readonly onEdit: (more: SettingsEdits) => void
}

/** Flavour, colour, and whether it is production. */
export function GeneralSettings({ cluster, draft, onEdit }: SettingsPartProps): ReactNode {
  const shown = useClusters(({ list }) => (list.kind === 'listed' ? list.colours.get(cluster.name) : undefined))
  const id = useId()
  return (
    <section id="set-general" className="panel" aria-labelledby={id}>
      <h2 id={id}>General</h2>
      <Switch
        label="Production: type its name before a run starts"
        checked={draft.production}
        onChange={event => onEdit({ production: event.currentTarget.checked })}
      />
      <div className="set-grid">
        <FormGroup label="Flavour" labelFor={`${id}-flavour`}>
          <HTMLSelect
            id={`${id}-flavour`}
            value={draft.flavour}
            options={ClusterFlavour.options.map(value => ({ value, label: FLAVOUR_WORDS[value] }))}
            onChange={event => onEdit({ flavour: ClusterFlavour.parse(event.currentTarget.value) })}
          />
        </FormGroup>
        <ColourChoice value={draft.colour ?? shown ?? freeColour([])} onChange={colour => onEdit({ colour })} />
      </div>
    </section>
  )
}
