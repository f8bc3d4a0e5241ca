import { Button, Checkbox, FormGroup, HTMLSelect, InputGroup, Radio, Switch } from '@blueprintjs/core'
import { type ReactNode, useEffect, useId, useState } from 'react'
import type { FoundCluster, RequestOutput } from '../../../shared/contract/index.ts'
import { type ClusterColour, ClusterFlavour, freeColour } from '../../../shared/domain/cluster.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../shared/domain/role-maintenance.ts'
import { FLAVOUR_WORDS } from '../../../shared/words/flavours.ts'
import { addCluster, foreignEndpoints, inspectClouds, inspectKubeconfig } from '../../bridge/cluster-edits.ts'
import { useClusters } from '../../stores/clusters.ts'
import { clusterRoute, goTo } from '../../stores/route.ts'
import { showToast } from '../../stores/toasts.ts'
import { ColourChoice } from '../../ui/clusters/colour-choice.tsx'
import { ExecPluginConsent } from '../../ui/clusters/exec-plugin-consent.tsx'
import { draftOf, jujuOf } from '../../ui/clusters/juju-draft.ts'
import { JujuFields } from '../../ui/clusters/juju-fields.tsx'
import { RoleMaintenanceFields } from '../../ui/clusters/role-maintenance-fields.tsx'
import { TestReport } from '../../ui/clusters/test-report.tsx'
import { useOffers } from '../../ui/clusters/use-offers.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { FileField } from './file-field.tsx'
import { FoundClusters } from './found-clusters.tsx'
import { useClusterTests, type Way } from './use-cluster-tests.ts'
import { useFileDrop } from './use-file-drop.ts'
import '../../ui/clusters/clusters.css'

/** Several kubeconfigs are written as kubectl accepts them. */
function pathsOf(text: string): readonly string[] {
  return text.split(':').filter(path => path !== '')
}

/** Names the foreign addresses of a newly added cluster, once Keystone has answered. */
async function warnOfForeignEndpoints(cluster: string): Promise<void> {
  const foreign = await foreignEndpoints(cluster)
  if (!foreign.ok || foreign.value.every(({ agreed }) => agreed)) return
  showToast({
    tone: 'caution',
    text: `${cluster} has services on other hosts than Keystone's. No token goes there until you agree.`,
    action: { text: 'Where tokens go', run: () => goTo(clusterRoute(cluster, 'settings')) },
  })
}

/** Registers a cluster from its files: a context, a cloud and a name. Changes nothing in the cluster. */
export function AddClusterScreen(): ReactNode {
  const [kubeconfig, setKubeconfig] = useState('')
  const [cloudsFile, setCloudsFile] = useState('')
  const contexts = useOffers<RequestOutput<'kubeconfig.inspect'>>()
  const clouds = useOffers<RequestOutput<'clouds.inspect'>>()
  // The path that was read: another typed path is not what would be added.
  const [readKubeconfig, setReadKubeconfig] = useState<string | null>(null)
  const [readCloudsFile, setReadCloudsFile] = useState<string | null>(null)
  const [contextName, setContextName] = useState<string | null>(null)
  const [cloudName, setCloudName] = useState<string | null>(null)
  const [withoutCloud, setWithoutCloud] = useState(false)
  const [name, setName] = useState('')
  const [flavour, setFlavour] = useState<ClusterFlavour>('plain')
  const [ways, setWays] = useState(DEFAULT_ROLE_MAINTENANCE)
  const [jujuDraft, setJujuDraft] = useState(() => draftOf(null))
  const [production, setProduction] = useState(false)
  const [colour, setColour] = useState<ClusterColour | null>(null)
  const worn = useClusters(({ list }) => (list.kind === 'listed' ? list.colours : null))
  const tests = useClusterTests()
  const drop = useFileDrop()
  const [failure, setFailure] = useState<{ readonly doing: string; readonly failure: Failure } | null>(null)
  const [busy, setBusy] = useState(false)
  const nameId = useId()

  const readContexts = async (text: string, quietly = false) => {
    const read = await contexts.read(() => inspectKubeconfig(pathsOf(text)), quietly)
    if (read === undefined) return
    setReadKubeconfig(read === null ? null : text === '' ? read.paths.join(':') : text)
    setContextName(read?.contexts.find(context => context.current)?.name ?? read?.contexts[0]?.name ?? null)
    if (read !== null && text === '') setKubeconfig(read.paths.join(':'))
  }
  const readClouds = async (text: string, quietly = false) => {
    const read = await clouds.read(() => inspectClouds(text === '' ? null : text), quietly)
    if (read === undefined) return
    setReadCloudsFile(read === null ? null : text === '' ? read.path : text)
    const usable = read?.clouds.filter(cloud => cloud.problem === null) ?? []
    setCloudName(usable.length === 1 ? (usable[0]?.name ?? null) : null)
    if (read !== null && text === '') setCloudsFile(read.path)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the usual places are read once, when the page opens.
  useEffect(() => {
    void readContexts('', true)
    void readClouds('', true)
  }, [])

  const context = contexts.value?.contexts.find(offer => offer.name === contextName) ?? null
  const cloud =
    withoutCloud || cloudName === null || clouds.value === null ? null : { path: clouds.value.path, cloud: cloudName }
  const unread = kubeconfig !== (readKubeconfig ?? '') || (!withoutCloud && cloudsFile !== (readCloudsFile ?? ''))
  const chosen = !unread && context !== null && contexts.value !== null && (withoutCloud || cloud !== null)
  const way: Way | null =
    context === null || contexts.value === null
      ? null
      : { kubeconfig: { paths: contexts.value.paths, context: context.name }, cloud }
  const tested = way === null ? null : tests.of(way)
  const called =
    name === '' ? (contextName ?? '').replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '') : name

  const choose = async (found: FoundCluster) => {
    setFailure(null)
    setKubeconfig(found.paths.join(':'))
    setWithoutCloud(false)
    await Promise.all([
      readContexts(found.paths.join(':')).then(() => setContextName(found.context.name)),
      found.cloud === null
        ? null
        : readClouds(found.cloud.path).then(() => {
            setCloudsFile(found.cloud?.path ?? '')
            setCloudName(found.cloud?.cloud ?? null)
          }),
    ])
    document.getElementById(nameId)?.focus()
  }
  // Only role-based flavours are asked here; for others the settings are the place.
  const byRoles = flavour === 'sunbeam'
  const juju = jujuOf(jujuDraft)
  const add = async () => {
    if (context === null || contexts.value === null || (byRoles && !juju.ok)) return
    setBusy(true)
    const answer = await addCluster({
      name: called,
      flavour,
      kubeconfig: { paths: contexts.value.paths, context: context.name },
      cloud,
      production,
      colour,
      ...(byRoles && juju.ok ? { roleMaintenance: { ...ways, juju: juju.juju } } : {}),
    })
    setBusy(false)
    if (!answer.ok) {
      setFailure({ doing: 'The cloud was not added', failure: answer.failure })
      return
    }
    showToast({ tone: 'good', text: `${answer.value.name} is registered. Nothing was changed in it.` })
    goTo(clusterRoute(answer.value.name, 'topology'))
    if (cloud !== null) void warnOfForeignEndpoints(answer.value.name)
  }

  return (
    <div className="addc" data-drop={drop.over} {...drop.handlers}>
      <h1>Add a cloud</h1>
      <FoundClusters tests={tests} onChoose={found => void choose(found)} />
      <section className="panel" aria-labelledby={`${nameId}-k`}>
        <h2 id={`${nameId}-k`}>1. Kubernetes</h2>
        <FileField
          kind="kubeconfig"
          label="Kubeconfig (several separated by :)"
          value={kubeconfig}
          onChange={setKubeconfig}
          onRead={text => void readContexts(text)}
          failure={contexts.failure}
          reading={contexts.reading}
        />
        {contexts.value === null ? null : (
          <OfferList
            label="Contexts"
            offers={contexts.value.contexts.map(offer => ({
              name: offer.name,
              words: `${offer.host ?? ''} as ${offer.user ?? 'nobody'}, by ${offer.credentials}${offer.current ? ' (current)' : ''}`,
              problem: offer.host === null ? 'its cluster has no usable address' : null,
            }))}
            chosen={contextName}
            onChoose={setContextName}
          />
        )}
        {context?.execPlugin && contexts.value !== null ? (
          <ExecPluginConsent
            paths={contexts.value.paths}
            context={context}
            onConsented={() => void contexts.read(() => inspectKubeconfig(pathsOf(kubeconfig)))}
          />
        ) : null}
      </section>
      <section className="panel" aria-labelledby={`${nameId}-o`}>
        <h2 id={`${nameId}-o`}>2. OpenStack</h2>
        <Checkbox
          label="Kubernetes only: Lockkeeper cannot maintain compute nodes then"
          checked={withoutCloud}
          onChange={event => setWithoutCloud(event.currentTarget.checked)}
        />
        {withoutCloud ? null : (
          <>
            <FileField
              kind="clouds"
              label="clouds.yaml"
              value={cloudsFile}
              onChange={setCloudsFile}
              onRead={text => void readClouds(text)}
              failure={clouds.failure}
              reading={clouds.reading}
            />
            {clouds.value === null ? null : (
              <OfferList
                label="Clouds"
                offers={clouds.value.clouds.map(offer => ({
                  name: offer.name,
                  words: [offer.host, offer.user && `as ${offer.user}`, offer.project && `in ${offer.project}`]
                    .filter(Boolean)
                    .join(' '),
                  problem: offer.problem,
                }))}
                chosen={cloudName}
                onChoose={setCloudName}
              />
            )}
          </>
        )}
      </section>
      <section className="panel" aria-labelledby={`${nameId}-n`}>
        <h2 id={`${nameId}-n`}>3. Its name here</h2>
        <div className="addc-fields">
          <FormGroup label="Name" labelFor={nameId} helperText="Letters, digits, dot, dash and underscore">
            <InputGroup id={nameId} value={name} onValueChange={setName} placeholder={called} spellCheck={false} />
          </FormGroup>
          <FormGroup label="Flavour" labelFor={`${nameId}-flavour`} helperText={FLAVOUR_WORDS[flavour]}>
            <HTMLSelect
              id={`${nameId}-flavour`}
              value={flavour}
              options={[...ClusterFlavour.options]}
              onChange={event => setFlavour(ClusterFlavour.parse(event.currentTarget.value))}
            />
          </FormGroup>
          <ColourChoice value={colour ?? freeColour([...(worn?.values() ?? [])])} onChange={setColour} />
          <Switch
            label="Production: type its name before anything disruptive starts"
            checked={production}
            onChange={event => setProduction(event.currentTarget.checked)}
          />
        </div>
      </section>
      {byRoles ? (
        <section className="panel" aria-labelledby={`${nameId}-r`}>
          <h2 id={`${nameId}-r`}>4. Maintenance by roles</h2>
          <RoleMaintenanceFields flavour={flavour} settings={ways} onEdit={more => setWays({ ...ways, ...more })} />
          <JujuFields draft={jujuDraft} onEdit={more => setJujuDraft({ ...jujuDraft, ...more })} />
        </section>
      ) : null}
      <div className="addc-row">
        <Button
          text="Test"
          disabled={!chosen || way === null}
          loading={tested?.kind === 'running'}
          onClick={() => {
            if (way !== null) tests.run(way)
          }}
        />
        <Button
          intent="primary"
          text={called === '' ? 'Add' : `Add ${called}`}
          disabled={!chosen || called === '' || (byRoles && !juju.ok)}
          loading={busy}
          onClick={() => void add()}
        />
        {!chosen || !byRoles || juju.ok ? null : <span className="quiet">{juju.missing}</span>}
        {chosen ? null : (
          <span className="quiet">
            {unread ? 'Read the file named above first.' : 'Choose a context, and a cloud or Kubernetes only.'}
          </span>
        )}
      </div>
      {failure === null ? null : <FailureCallout title={failure.doing} failure={failure.failure} />}
      {tested?.kind === 'failed' ? (
        <FailureCallout title="The cloud could not be tested" failure={tested.failure} />
      ) : null}
      {tested?.kind === 'answered' ? <TestReport report={tested.report} /> : null}
    </div>
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
