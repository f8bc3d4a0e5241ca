import { Button } from '@blueprintjs/core'
import { TickIcon, WarningSignIcon } from '@blueprintjs/icons'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { Envelope } from '../../../shared/contract/index.ts'
import type { ControllerProposal, ControllersStatus } from '../../../shared/contract/maintenance.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { ControllerName } from '../../../shared/domain/maintenance-api.ts'
import { counted, listed } from '../../../shared/grammar/counts.ts'
import { CHOICE_WORDS, CONTROLLER_WORDS, statusWords } from '../../../shared/words/controllers.ts'
import { followControllers, startControllers, stopControllers } from '../../bridge/controllers.ts'
import { readDefinitions } from '../../bridge/definitions.ts'
import { useClusters } from '../../stores/clusters.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { lastRead, useUpdates } from '../../stores/updates.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { LockLine } from '../../ui/lock-line.tsx'
import { DefinitionsCard } from '../../ui/maintenance-api/definitions-card.tsx'
import { badObjects } from '../../ui/maintenance-api/maintenance-of-node.ts'
import { useProposals } from '../../ui/plan/use-proposals.ts'
import { useChange } from '../../ui/use-change.ts'
import { useInstanceName } from '../../ui/use-instance-name.ts'
import { Age } from '../../ui/when.tsx'
import '../../ui/maintenance-api/cards.css'

interface Props {
  readonly cluster: string
}

/** Whether everybody answers who has to: one line while they do, everything about them when they do not. */
export function UpdateControllers({ cluster }: Props): ReactNode {
  useEffect(() => followControllers(cluster), [cluster])
  useEffect(() => void readDefinitions(cluster), [cluster])
  const health = useHealth(cluster)
  if (health === null) return <p className="quiet">Reading the controllers</p>
  const { answer, troubles } = health
  const isHealthy = troubles.length === 0
  return (
    <details className="upd-fold" open={!isHealthy}>
      <summary className={isHealthy ? '' : 'bad'}>
        {!isHealthy ? <WarningSignIcon /> : answer === null ? null : <TickIcon className="good" />}
        {answer === null && isHealthy ? (
          <span className="quiet">The controllers cannot be seen now</span>
        ) : answer !== null && isHealthy ? (
          <span>
            <b>
              {counted(answer.length, 'controller')} {answer.length === 1 ? 'answers' : 'answer'}:
            </b>{' '}
            {listed(answer)}
          </span>
        ) : (
          <b>{troubles.join(' ')}</b>
        )}
      </summary>
      <ControllersCard cluster={cluster} />
      <ObjectsCard cluster={cluster} />
      <DefinitionsCard cluster={cluster} />
    </details>
  )
}

interface Health {
  /** The applications whose controllers answer; null if it is unknown. */
  readonly answer: readonly string[] | null
  /** What is not as an update needs it; empty while all is well. */
  readonly troubles: readonly string[]
}

/** Null while it is unknown. */
function useHealth(cluster: string): Health | null {
  const objects = useViews(store => lastOf(store.byCluster.get(cluster))?.maintenance ?? null)
  const nodes = useViews(store => lastOf(store.byCluster.get(cluster))?.nodes ?? null)
  const settings = useClusters(({ list }) =>
    list.kind === 'listed' ? list.byName.get(cluster)?.maintenanceApi.controllers : undefined,
  )
  const definitions = lastRead(useUpdates(store => store.definitions.get(cluster)))
  const status = lastRead(useUpdates(store => store.controllers.get(cluster)))
  return useMemo(() => {
    if (settings === undefined || (objects === null && definitions === null)) return null
    const missing = definitions?.filter(({ state }) => state === 'missing').length ?? 0
    const chosen = ControllerName.options.filter(name => settings[name] !== 'none')
    const silent = chosen.filter(
      name =>
        objects?.clusterLocks.every(({ controller }) => controller !== name) === true ||
        (settings[name] === 'console' && status?.state === 'stopped'),
    )
    const bad = objects === null ? [] : badObjects(objects, nodes === null ? null : [...nodes.keys()])
    const asked = objects?.clusterRequests.length ?? 0
    const words = (names: readonly ControllerName[]) => names.map(name => CONTROLLER_WORDS[name])
    return {
      answer: objects === null ? null : words(chosen.filter(name => !silent.includes(name))),
      troubles: [
        ...(missing === 0 ? [] : [`${cluster} lacks ${counted(missing, 'definition')}.`]),
        ...(silent.length === 0 ? [] : [`${listed(words(silent))} ${silent.length === 1 ? 'does' : 'do'} not answer.`]),
        ...(asked === 0 ? [] : ['Maintenance of the cloud is requested already.']),
        ...(bad.length === 0 ? [] : [`${counted(bad.length, 'object is', 'objects are')} malformed.`]),
        ...(status?.trouble == null ? [] : [status.trouble]),
      ],
    }
  }, [cluster, objects, nodes, settings, definitions, status])
}

/** The controllers that answer maintenance requests on a cluster, and the activity of Lockkeeper's own. */
function ControllersCard({ cluster }: Props): ReactNode {
  const asked = useUpdates(store => store.controllers.get(cluster))
  const settings = useClusters(({ list }) =>
    list.kind === 'listed' ? list.byName.get(cluster)?.maintenanceApi.controllers : undefined,
  )
  const proposals = useProposals(cluster)
  const status = lastRead(asked)
  return (
    <section className="panel" aria-labelledby="upd-controllers">
      <h2 id="upd-controllers">Controllers</h2>
      <p>
        The controller of an application prepares a node for its maintenance. It runs in the cloud, or this console
        replaces it. <a href={hashOf(clusterRoute(cluster, 'settings'))}>Settings</a>
      </p>
      <table className="table breaks">
        <thead>
          <tr>
            <th scope="col">Application</th>
            <th scope="col">Answered by</th>
            <th scope="col">Found</th>
            <th scope="col">Now</th>
          </tr>
        </thead>
        <tbody>
          {ControllerName.options.map(name => {
            const found = proposals.found.find(({ controller }) => controller === name)
            const choice = settings?.[name]
            const own = status?.controllers.find(({ controller }) => controller === name)
            return (
              <tr key={name}>
                <th scope="row" className="nowrap">
                  {CONTROLLER_WORDS[name]}
                </th>
                <td>{choice === undefined ? '?' : CHOICE_WORDS[choice]}</td>
                <td className={found !== undefined && found.choice !== choice ? 'caution' : ''}>
                  {found === undefined ? (
                    <span className="quiet">{proposals.isReading ? 'Reading.' : 'unknown'}</span>
                  ) : (
                    <>
                      {found.choice === choice ? null : <b>Better: {CHOICE_WORDS[found.choice]}. </b>}
                      {found.why}
                    </>
                  )}
                </td>
                <td>
                  {choice !== 'console' ? (
                    <span className="quiet">not Lockkeeper's</span>
                  ) : status === null || status.state === 'stopped' || status.state === 'elsewhere' ? (
                    <span className="quiet">{status?.state === 'elsewhere' ? 'run elsewhere' : 'not running'}</span>
                  ) : own === undefined || own.busyWith.length === 0 ? (
                    'idle'
                  ) : (
                    <ul className="upd-busy">
                      {own.busyWith.map(line => (
                        <li key={line}>{line}</li>
                      ))}
                    </ul>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {settings === undefined ? null : <TakeFound key={cluster} cluster={cluster} found={proposals.found} />}
      {proposals.failure === null ? null : (
        <FailureCallout
          title={`Lockkeeper could not read who answers on ${cluster}`}
          failure={proposals.failure}
          onRetry={proposals.again}
        />
      )}
      {asked?.kind === 'failed' ? (
        <FailureCallout title="The state of Lockkeeper's controllers is unknown" failure={asked.failure} />
      ) : null}
      {status === null ? null : <OurControllers cluster={cluster} status={status} />}
    </section>
  )
}

/** Saves what was found in the settings of this console; changes nothing in the cluster. */
function TakeFound({
  cluster,
  found,
}: {
  readonly cluster: string
  readonly found: readonly ControllerProposal[]
}): ReactNode {
  const settings = useClusters(({ list }) =>
    list.kind === 'listed' ? list.byName.get(cluster)?.maintenanceApi : undefined,
  )
  const { busy, failure, change } = useChange(cluster)
  const differing = found.filter(({ controller, choice }) => settings?.controllers[controller] !== choice)
  if (settings === undefined || differing.length === 0) return null
  const controllers = {
    ...settings.controllers,
    ...Object.fromEntries(differing.map(({ controller, choice }) => [controller, choice])),
  }
  return (
    <div className="upd-ours row wrap">
      <Button
        text="Use what was found"
        title="Changes the settings of this console, and nothing in the cloud."
        loading={busy}
        onClick={() =>
          void change(
            { maintenanceApi: { ...settings, controllers } },
            `The controllers of ${cluster} are set as found.`,
          )
        }
      />
      {failure === null ? null : <FailureCallout title="The settings were not changed" failure={failure} />}
    </div>
  )
}

function OurControllers({
  cluster,
  status,
}: {
  readonly cluster: string
  readonly status: ControllersStatus
}): ReactNode {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const request = async (send: (cluster: string) => Promise<Envelope<ControllersStatus>>) => {
    setBusy(true)
    const answer = await send(cluster)
    setBusy(false)
    setFailure(answer.ok ? null : answer.failure)
  }
  if (status.state === 'not-used') return null
  return (
    <div className="upd-ours row wrap">
      <p role="status" className={status.trouble === null ? '' : 'bad'}>
        <b>{statusWords(status)}</b> {status.trouble}
      </p>
      {status.state === 'here' ? (
        <Button
          text={`Stop Lockkeeper's controllers on ${cluster}`}
          title="Nodes whose maintenance is requested then wait until the controllers run again."
          loading={busy}
          onClick={() => void request(stopControllers)}
        />
      ) : (
        <Button
          text={`Run Lockkeeper's controllers on ${cluster} here`}
          title="They run in the process behind this page, until you stop them or it ends."
          disabled={status.state === 'elsewhere'}
          loading={busy}
          onClick={() => void request(startControllers)}
        />
      )}
      {failure === null ? null : <FailureCallout title="That failed" failure={failure} />}
    </div>
  )
}

/** The locks and requests of the whole cluster, and malformed objects. */
function ObjectsCard({ cluster }: { readonly cluster: string }): ReactNode {
  const objects = useViews(store => lastOf(store.byCluster.get(cluster))?.maintenance ?? null)
  const nodes = useViews(store => lastOf(store.byCluster.get(cluster))?.nodes ?? null)
  const bad = useMemo(
    () => (objects === null ? [] : badObjects(objects, nodes === null ? null : [...nodes.keys()])),
    [objects, nodes],
  )
  const nameOf = useInstanceName(cluster)
  if (objects === null) return null
  const { clusterLocks, clusterRequests } = objects
  return (
    <section className="panel" aria-labelledby="upd-objects">
      <h2 id="upd-objects">Locks of the whole cloud</h2>
      {clusterRequests.map(({ uid, name, createdAt, deletingSince, scope }) => (
        <p key={uid}>
          <b>Maintenance of the cloud requested</b> <Age at={createdAt} /> ({name}, scope {scope ?? 'not given'})
          {deletingSince === null ? '.' : ', being removed.'}
        </p>
      ))}
      {clusterRequests.length === 0 ? <p className="quiet">Nobody requests the maintenance of the cloud.</p> : null}
      {clusterLocks.length === 0 ? (
        <p className="quiet">No controller holds a lock on it.</p>
      ) : (
        <ul className="plain-list">
          {clusterLocks.map(lock => (
            <LockLine key={lock.uid} lock={lock} instanceName={nameOf} />
          ))}
        </ul>
      )}
      {bad.length === 0 ? null : (
        <>
          <h3 className="upd-bad">Malformed</h3>
          <ul className="upd-definitions">
            {bad.map(({ kind, name, why }) => (
              <li key={`${kind} ${name} ${why}`}>
                <b>
                  {kind} {name}
                </b>
                {why}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
