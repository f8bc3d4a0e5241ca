import { FormGroup, HTMLSelect, Switch } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import { type Cluster, ClusterFlavour, colourOf } from '../../../shared/domain/cluster.ts'
import { FLAVOUR_WORDS } from '../../../shared/words/flavours.ts'
import { ColourChoice } from '../../ui/clusters/colour-choice.tsx'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { useChange } from '../../ui/use-change.ts'

/** What a cluster is taken for: flavour, colour, and whether it is production. */
export function LookSettings({ cluster }: { readonly cluster: Cluster }): ReactNode {
  const { failure, change } = useChange(cluster.name)
  const id = useId()
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>What it is</h2>
      <Switch
        label="Production: its name has to be typed before anything disruptive starts"
        checked={cluster.production}
        onChange={event =>
          void change(
            { production: event.currentTarget.checked },
            `${cluster.name} is ${event.currentTarget.checked ? 'marked as production' : 'no longer marked as production'}.`,
          )
        }
      />
      <div className="set-grid">
        <FormGroup label="Flavour" labelFor={`${id}-flavour`} helperText={FLAVOUR_WORDS[cluster.flavour]}>
          <HTMLSelect
            id={`${id}-flavour`}
            value={cluster.flavour}
            options={[...ClusterFlavour.options]}
            onChange={event => {
              const flavour = ClusterFlavour.parse(event.currentTarget.value)
              void change({ flavour }, `${cluster.name} is taken for flavour ${flavour} now.`)
            }}
          />
        </FormGroup>
        <ColourChoice
          value={colourOf(cluster)}
          onChange={colour => void change({ colour }, `${cluster.name} is shown in ${colour} now.`)}
        />
      </div>
      {failure === null ? null : <FailureCallout title="It was not changed" failure={failure} />}
    </section>
  )
}
