import { Button } from '@blueprintjs/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { Envelope } from '../../../shared/contract/index.ts'
import type { ControllerProposal, ControllersStatus } from '../../../shared/contract/maintenance.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { ControllerName } from '../../../shared/domain/maintenance-api.ts'
import { CHOICE_WORDS, CONTROLLER_WORDS, statusWords } from '../../../shared/words/controllers.ts'
import { followControllers, startControllers, stopControllers } from '../../bridge/controllers.ts'
import { useClusters } from '../../stores/clusters.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { lastRead, useUpdates } from '../../stores/updates.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { useProposals } from '../../ui/plan/use-proposals.ts'
import { useChange } from '../../ui/use-change.ts'
import '../../ui/maintenance-api/cards.css'

interface Props {
  readonly cluster: string
}

/** The controllers that answer maintenance requests on a cluster, and the activity of Lockkeeper's own. */
export function ControllersCard({ cluster }: Props): ReactNode {
  useEffect(() => followControllers(cluster), [cluster])
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
