import { Button } from '@blueprintjs/core'
import { type ReactNode, useEffect, useId, useState } from 'react'
import type { FoundCluster, RequestInput } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../shared/domain/role-maintenance.ts'
import { addCluster, foreignEndpoints } from '../../bridge/cluster-edits.ts'
import { clusterRoute, goTo } from '../../stores/route.ts'
import { showToast } from '../../stores/toasts.ts'
import { draftOf, jujuOf } from '../../ui/clusters/juju-draft.ts'
import { JujuFields } from '../../ui/clusters/juju-fields.tsx'
import { RoleMaintenanceFields } from '../../ui/clusters/role-maintenance-fields.tsx'
import { TestReport } from '../../ui/clusters/test-report.tsx'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { KubernetesPart, NamePart, type Naming, OpenStackPart } from './add-cluster-parts.tsx'
import { isChosen, isUnread, readFound, useCloudsFile, useKubeconfig, wayOf } from './cluster-files.ts'
import { FoundClusters } from './found-clusters.tsx'
import { useClusterTests, type Way, type WayTest } from './use-cluster-tests.ts'
import { useFileDrop } from './use-file-drop.ts'
import '../../ui/clusters/clusters.css'

/** Names the foreign addresses of a newly added cluster, once Keystone has answered. */
async function warnOfForeignEndpoints(cluster: string): Promise<void> {
  const foreign = await foreignEndpoints(cluster)
  if (!foreign.ok || foreign.value.every(({ agreed }) => agreed)) return
  showToast({
    tone: 'caution',
    text: `${cluster} has services on other hosts than Keystone's. No token goes there until you agree.`,
    action: { text: 'See where', run: () => goTo(clusterRoute(cluster, 'settings')) },
  })
}

/** Registers a cluster from its files: a context, a cloud and a name. Changes nothing in the cluster. */
export function AddClusterScreen(): ReactNode {
  const kube = useKubeconfig()
  const clouds = useCloudsFile()
  const [naming, setNaming] = useState<Naming>({ name: '', flavour: 'plain', production: false, colour: null })
  const [ways, setWays] = useState(DEFAULT_ROLE_MAINTENANCE)
  const [jujuDraft, setJujuDraft] = useState(() => draftOf(null))
  const tests = useClusterTests()
  const drop = useFileDrop()
  const { isAdding, failure, setFailure, add } = useAdding()
  const id = useId()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the usual places are read once, when the page opens.
  useEffect(() => {
    void kube.read('', true)
    void clouds.read('', true)
  }, [])
  const way = wayOf(kube, clouds)
  const tested = way === null ? null : tests.of(way)
  const called = naming.name === '' ? nameOfContext(kube.contextName) : naming.name
  // Only role-based flavours are asked here; for others the settings are the place.
  const byRoles = naming.flavour === 'sunbeam'
  const juju = jujuOf(jujuDraft)
  const choose = async (found: FoundCluster) => {
    setFailure(null)
    await readFound(found, kube, clouds)
    document.getElementById(id)?.focus()
  }
  const addIt = () => {
    if (way === null || (byRoles && !juju.ok)) return
    const { flavour, production, colour } = naming
    const roles = byRoles && juju.ok ? { roleMaintenance: { ...ways, juju: juju.juju } } : {}
    void add({ name: called, flavour, ...way, production, colour, ...roles })
  }
  return (
    <div className="addc" data-drop={drop.over} {...drop.handlers}>
      <h1>Add a cloud</h1>
      <FoundClusters tests={tests} onChoose={found => void choose(found)} />
      <KubernetesPart id={id} kube={kube} />
      <OpenStackPart id={id} clouds={clouds} />
      <NamePart id={id} naming={naming} called={called} onEdit={more => setNaming({ ...naming, ...more })} />
      {byRoles ? (
        <section className="panel" aria-labelledby={`${id}-r`}>
          <h2 id={`${id}-r`}>4. Maintenance by roles</h2>
          <RoleMaintenanceFields
            flavour={naming.flavour}
            settings={ways}
            onEdit={more => setWays({ ...ways, ...more })}
          />
          <JujuFields draft={jujuDraft} onEdit={more => setJujuDraft({ ...jujuDraft, ...more })} />
        </section>
      ) : null}
      <TestAndAdd
        tests={tests}
        tested={tested}
        way={way}
        called={called}
        isUnread={isUnread(kube, clouds)}
        isChosen={isChosen(kube, clouds)}
        jujuMissing={byRoles && !juju.ok ? juju.missing : null}
        isAdding={isAdding}
        onAdd={addIt}
      />
      {failure === null ? null : <FailureCallout title="The cloud was not added" failure={failure} />}
      {tested?.kind === 'failed' ? (
        <FailureCallout title="The cloud could not be tested" failure={tested.failure} />
      ) : null}
      {tested?.kind === 'answered' ? <TestReport report={tested.report} /> : null}
    </div>
  )
}

/** Adds the cluster and opens its map. */
function useAdding() {
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isAdding, setAdding] = useState(false)
  const add = async (input: RequestInput<'cluster.add'>) => {
    setAdding(true)
    const answer = await addCluster(input)
    setAdding(false)
    if (!answer.ok) {
      setFailure(answer.failure)
      return
    }
    showToast({ tone: 'good', text: `${answer.value.name} is registered. Nothing was changed in it.` })
    goTo(clusterRoute(answer.value.name, 'topology'))
    if (input.cloud !== null) void warnOfForeignEndpoints(answer.value.name)
  }
  return { isAdding, failure, setFailure, add }
}

/** The context as a name that Lockkeeper accepts. */
function nameOfContext(context: string | null): string {
  return (context ?? '').replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '')
}

interface TestAndAddProps {
  readonly tests: ReturnType<typeof useClusterTests>
  readonly tested: WayTest | null
  readonly way: Way | null
  readonly called: string
  /** Whether a file is named that was not read. */
  readonly isUnread: boolean
  readonly isChosen: boolean
  /** What the access to Juju lacks; null if nothing, or if the cluster is added without it. */
  readonly jujuMissing: string | null
  readonly isAdding: boolean
  readonly onAdd: () => void
}

/** The two buttons, and why they are disabled. */
function TestAndAdd(props: TestAndAddProps): ReactNode {
  const { tests, tested, way, called, isUnread, isChosen, jujuMissing, isAdding, onAdd } = props
  return (
    <div className="addc-row">
      <Button
        text="Test"
        disabled={!isChosen || way === null}
        loading={tested?.kind === 'running'}
        onClick={() => {
          if (way !== null) tests.run(way)
        }}
      />
      <Button
        intent="primary"
        text={called === '' ? 'Add' : `Add ${called}`}
        disabled={!isChosen || called === '' || jujuMissing !== null}
        loading={isAdding}
        onClick={onAdd}
      />
      {!isChosen || jujuMissing === null ? null : <span className="quiet">{jujuMissing}</span>}
      {isChosen ? null : (
        <span className="quiet">
          {isUnread ? 'Read the file named above first.' : 'Choose a context, and a cloud or Kubernetes only.'}
        </span>
      )}
    </div>
  )
}
