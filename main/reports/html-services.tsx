import type { ReactNode } from 'react'
import type { Report } from '../../shared/domain/report.ts'
import { counted } from '../../shared/grammar/counts.ts'
import { Badge, Change, Nothing, nameClass, Section, Table, When } from './html-parts.tsx'
import type { ReportTimes } from './html-times.ts'
import { lengthWords, POD_WORDS } from './html-words.ts'

interface Props {
  readonly report: Report
  readonly times: ReportTimes
}

/** Pods that were asked to leave: those that a budget held, or that did not go, one by one; all of them by node. */
export function PodsPart({ report, times }: Props): ReactNode {
  const { pods } = report
  const reported = pods.filter(({ outcome, refusals }) => outcome !== 'left' || refusals.length > 0)
  const waited = pods.filter(({ refusals }) => refusals.length > 0)
  const rest = pods.filter(pod => !reported.includes(pod))
  return (
    <Section id="pods" title="Pods and budgets">
      {pods.length === 0 ? (
        <Nothing>No pod was evicted.</Nothing>
      ) : (
        <>
          <p>
            {counted(pods.length, 'pod')} asked to leave,{' '}
            {waited.length === 0 ? 'none waited for a budget.' : `${waited.length} of them waited for a budget.`}
          </p>
          {reported.length === 0 ? null : (
            <>
              <h3>Held by a budget, or not gone</h3>
              <Table
                caption="Pods that a budget held or that did not leave"
                columns={['Pod', 'Node', 'Asked', 'Left', 'Waited#', 'Outcome']}
              >
                {reported.map(pod => (
                  <tbody key={`${pod.runId} ${pod.namespace}/${pod.name}`}>
                    <tr>
                      <th scope="row">
                        {pod.namespace}/{pod.name}
                      </th>
                      <td className={nameClass(pod.node)}>{pod.node}</td>
                      <td>
                        <When times={times} at={pod.askedAt} otherwise="–" />
                      </td>
                      <td>
                        <When times={times} at={pod.leftAt} otherwise="not seen" />
                      </td>
                      <td className="figure">{lengthWords(pod.waitedMs, '–')}</td>
                      <td>
                        <Badge words={POD_WORDS[pod.outcome][0]} tone={POD_WORDS[pod.outcome][1]} />
                        {pod.words === '' ? null : <span className="below quiet">{pod.words}</span>}
                      </td>
                    </tr>
                    <Refusals pod={pod} times={times} />
                  </tbody>
                ))}
              </Table>
            </>
          )}
          {rest.length === 0 ? null : <RestOfPods pods={rest} times={times} />}
        </>
      )}
    </Section>
  )
}

/** Refusals that say the same are told once, with how often and until when. */
function Refusals({ pod, times }: { readonly pod: Report['pods'][number]; readonly times: ReportTimes }): ReactNode {
  const said = new Map<string, { readonly count: number; readonly from: string; readonly to: string }>()
  for (const { at, words } of pod.refusals) {
    const known = said.get(words)
    said.set(words, { count: (known?.count ?? 0) + 1, from: known?.from ?? at, to: at })
  }
  if (said.size === 0) return null
  return (
    <tr className="more">
      <td colSpan={6}>
        <ul>
          {[...said].map(([words, { count, from, to }]) => (
            <li key={words}>
              {words}{' '}
              <span className="quiet">
                {count === 1
                  ? `(at ${times.stamp(from).zoned})`
                  : `(${count} times, ${times.stamp(from).zoned} to ${times.stamp(to).zoned})`}
              </span>
            </li>
          ))}
        </ul>
      </td>
    </tr>
  )
}

function RestOfPods({ pods, times }: { readonly pods: Report['pods']; readonly times: ReportTimes }): ReactNode {
  const nodes = [...new Set(pods.map(({ node }) => node))]
  return (
    <>
      <h3>Left when asked</h3>
      <Table caption="Pods that left when they were asked, by node" columns={['Pod', 'How', 'Asked', 'Left']}>
        {nodes.map(node => (
          <tbody key={node}>
            <tr className="group">
              <th scope="rowgroup" colSpan={4}>
                {node} <span className="quiet">{counted(pods.filter(pod => pod.node === node).length, 'pod')}</span>
              </th>
            </tr>
            {pods
              .filter(pod => pod.node === node)
              .map(pod => (
                <tr key={`${pod.runId} ${pod.namespace}/${pod.name}`}>
                  <th scope="row">
                    {pod.namespace}/{pod.name}
                  </th>
                  <td>{pod.how}</td>
                  <td>
                    <When times={times} at={pod.askedAt} otherwise="–" />
                  </td>
                  <td>
                    <When times={times} at={pod.leftAt} otherwise="–" />
                  </td>
                </tr>
              ))}
          </tbody>
        ))}
      </Table>
    </>
  )
}

/** What controllers said by their locks, and the requests that were made and removed. */
export function LocksPart({ report, times }: Props): ReactNode {
  const { locks, requests } = report
  return (
    <Section id="locks" title="Locks and requests">
      {locks.length + requests.length === 0 ? (
        <Nothing>
          No lock was waited for and no maintenance request was made
          {report.cluster.flavour === 'mosk' ? '.' : ': this cluster has no maintenance API.'}
        </Nothing>
      ) : null}
      {requests.length === 0 ? null : (
        <Table caption="Maintenance requests" columns={['Maintenance request', 'Node', 'Scope', 'Created', 'Removed']}>
          <tbody>
            {requests.map(request => (
              <tr key={`${request.runId} ${request.name} ${request.createdAt}`}>
                <th scope="row">{request.name}</th>
                <td className={nameClass(request.node)}>{request.node === '' ? 'the cluster' : request.node}</td>
                <td>{request.scope ?? '–'}</td>
                <td>
                  <When times={times} at={request.createdAt} otherwise="was there before" />
                </td>
                <td>
                  <When times={times} at={request.removedAt} otherwise="not removed" />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {locks.length === 0 ? null : (
        <Table caption="What locks said" columns={['When', 'Node', 'Lock of', 'State', 'What it said']}>
          <tbody>
            {locks.map((lock, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a lock may say the same twice in one second.
              <tr key={index}>
                <td>
                  <When times={times} at={lock.at} />
                </td>
                <th scope="row" className={nameClass(lock.node)}>
                  {lock.node === '' ? 'the cluster' : lock.node}
                </th>
                <td>{lock.controller}</td>
                <td>{lock.state}</td>
                <td>{lock.message}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  )
}

/** Flags of Ceph that were set and taken back. */
export function CephPart({ report, times }: Props): ReactNode {
  const { cephFlags } = report
  return (
    <Section id="ceph" title="Ceph">
      {cephFlags.length === 0 ? (
        <Nothing>No flag of Ceph was changed.</Nothing>
      ) : (
        <Table caption="Changes to Ceph" columns={['When', 'What', 'Change']}>
          <tbody>
            {cephFlags.map((flag, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a flag may be set twice in one second.
              <tr key={index}>
                <td>
                  <When times={times} at={flag.at} />
                </td>
                <th scope="row">{flag.what}</th>
                <td>
                  <Change before={flag.from} after={flag.to} />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  )
}
