import { Checkbox, FormGroup, HTMLSelect, InputGroup, Radio, Switch } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { type ClusterColour, ClusterFlavour, freeColour } from '../../../shared/domain/cluster.ts'
import { FLAVOUR_WORDS } from '../../../shared/words/flavours.ts'
import { inspectKubeconfig } from '../../bridge/cluster-edits.ts'
import { useClusters } from '../../stores/clusters.ts'
import { ColourChoice } from '../../ui/clusters/colour-choice.tsx'
import { ExecPluginConsent } from '../../ui/clusters/exec-plugin-consent.tsx'
import { type CloudsFile, type Kubeconfig, pathsOf } from './cluster-files.ts'
import { FileField } from './file-field.tsx'

interface KubernetesPartProps {
  /** The beginning of the ids of the form. */
  readonly id: string
  readonly kube: Kubeconfig
}

/** The kubeconfig, its contexts, and the consent to a program that it names. */
export function KubernetesPart({ id, kube }: KubernetesPartProps): ReactNode {
  const { offers } = kube
  return (
    <section className="panel" aria-labelledby={`${id}-k`}>
      <h2 id={`${id}-k`}>1. Kubernetes</h2>
      <FileField
        kind="kubeconfig"
        label="Kubeconfig"
        value={kube.text}
        onChange={kube.setText}
        onRead={text => void kube.read(text)}
        failure={offers.failure}
        reading={offers.reading}
      />
      {offers.value === null ? null : (
        <OfferList
          label="Contexts"
          offers={offers.value.contexts.map(offer => ({
            name: offer.name,
            words: `${offer.host ?? ''} as ${offer.user ?? 'nobody'}, by ${offer.credentials}${offer.current ? ' (current)' : ''}`,
            problem: offer.host === null ? 'its cluster has no usable address' : null,
          }))}
          chosen={kube.contextName}
          onChoose={kube.setContextName}
        />
      )}
      {kube.context?.execPlugin && offers.value !== null ? (
        <ExecPluginConsent
          paths={offers.value.paths}
          context={kube.context}
          onConsented={() => void offers.read(() => inspectKubeconfig(pathsOf(kube.text)))}
        />
      ) : null}
    </section>
  )
}

interface OpenStackPartProps {
  readonly id: string
  readonly clouds: CloudsFile
}

/** The clouds.yaml and its clouds; a cluster may be without. */
export function OpenStackPart({ id, clouds }: OpenStackPartProps): ReactNode {
  const { offers } = clouds
  return (
    <section className="panel" aria-labelledby={`${id}-o`}>
      <h2 id={`${id}-o`}>2. OpenStack</h2>
      <Checkbox
        label="Kubernetes only, without compute nodes"
        checked={clouds.isWithout}
        onChange={event => clouds.setWithout(event.currentTarget.checked)}
      />
      {clouds.isWithout ? null : (
        <>
          <FileField
            kind="clouds"
            label="clouds.yaml"
            value={clouds.text}
            onChange={clouds.setText}
            onRead={text => void clouds.read(text)}
            failure={offers.failure}
            reading={offers.reading}
          />
          {offers.value === null ? null : (
            <OfferList
              label="Clouds"
              offers={offers.value.clouds.map(offer => ({
                name: offer.name,
                words: [offer.host, offer.user && `as ${offer.user}`, offer.project && `in ${offer.project}`]
                  .filter(Boolean)
                  .join(' '),
                problem: offer.problem,
              }))}
              chosen={clouds.cloudName}
              onChoose={clouds.setCloudName}
            />
          )}
        </>
      )}
    </section>
  )
}

/** How the cluster is called and shown here. */
export interface Naming {
  /** Empty means the name of its context. */
  readonly name: string
  readonly flavour: ClusterFlavour
  readonly production: boolean
  /** Null means a colour that no other cluster has. */
  readonly colour: ClusterColour | null
}

interface NamePartProps {
  readonly id: string
  readonly naming: Naming
  /** The name that it gets. */
  readonly called: string
  readonly onEdit: (change: Partial<Naming>) => void
}

export function NamePart({ id, naming, called, onEdit }: NamePartProps): ReactNode {
  const worn = useClusters(({ list }) => (list.kind === 'listed' ? list.colours : null))
  return (
    <section className="panel" aria-labelledby={`${id}-n`}>
      <h2 id={`${id}-n`}>3. Name</h2>
      <div className="addc-fields">
        <FormGroup label="Name" labelFor={id} helperText="Letters, digits, dot, dash and underscore">
          <InputGroup
            id={id}
            value={naming.name}
            onValueChange={name => onEdit({ name })}
            placeholder={called}
            spellCheck={false}
          />
        </FormGroup>
        <FormGroup label="Flavour" labelFor={`${id}-flavour`}>
          <HTMLSelect
            id={`${id}-flavour`}
            value={naming.flavour}
            options={ClusterFlavour.options.map(value => ({ value, label: FLAVOUR_WORDS[value] }))}
            onChange={event => onEdit({ flavour: ClusterFlavour.parse(event.currentTarget.value) })}
          />
        </FormGroup>
        <ColourChoice
          value={naming.colour ?? freeColour([...(worn?.values() ?? [])])}
          onChange={colour => onEdit({ colour })}
        />
        <Switch
          label="Production: type its name before a run starts"
          checked={naming.production}
          onChange={event => onEdit({ production: event.currentTarget.checked })}
        />
      </div>
    </section>
  )
}

interface Offer {
  readonly name: string
  readonly words: string
  readonly problem: string | null
}

interface Props {
  readonly label: string
  readonly offers: readonly Offer[]
  readonly chosen: string | null
  readonly onChoose: (name: string) => void
}

/** The choices in a file; unusable ones say why. */
function OfferList({ label, offers, chosen, onChoose }: Props): ReactNode {
  return (
    <ul className="addc-offers" aria-label={label}>
      {offers.map(offer => (
        <li key={offer.name}>
          <Radio
            className="addc-offer"
            data-chosen={offer.name === chosen}
            checked={offer.name === chosen}
            disabled={offer.problem !== null}
            onChange={() => onChoose(offer.name)}
            name={label}
            value={offer.name}
          >
            <strong>{offer.name}</strong> <span className="quiet">{offer.problem ?? offer.words}</span>
          </Radio>
        </li>
      ))}
    </ul>
  )
}
