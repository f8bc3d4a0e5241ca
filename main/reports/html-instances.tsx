import type { ReactNode } from 'react'
import type { Report, ReportInstance } from '../../shared/domain/report.ts'
import { counted } from '../../shared/grammar/counts.ts'
import { Badge, Change, Nothing, Section, Table } from './html-parts.tsx'
import { actionWords, INSTANCE_WORDS, lengthWords } from './html-words.ts'

type Outcome = ReportInstance['outcome']

const SMOOTH: ReadonlySet<Outcome> = new Set(['moved', 'stayed', 'settled'])
/** The order in which somebody wants to know. */
const ORDER: readonly Outcome[] = [
  'failed',
  'not-reached',
  'left-to-owner',
  'left-here',
  'stopped',
  'moved',
  'stayed',
  'settled',
]

/** Every instance, before and after: first those that somebody has to read about, then the rest node by node. */
export function InstancesPart({ report }: { readonly report: Report }): ReactNode {
  const { instances } = report
  const noted = instances
    .filter(needsReading)
    .sort((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome) || Number(b.downtimeMs) - Number(a.downtimeMs))
  const smooth = instances.filter(instance => !needsReading(instance))
  const nodes = [...new Set(smooth.map(({ node }) => node))]
  return (
    <Section id="instances" title="Instances">
      {instances.length === 0 ? (
        <Nothing>No instance was moved, stopped or left on its host.</Nothing>
      ) : (
        <>
          <p>{countsWords(instances)}</p>
          {noted.length === 0 ? (
            <Nothing>No pause, no failure and no second attempt was seen of any of them.</Nothing>
          ) : (
            <>
              <h3>Failed, not reached, stopped, left to the owner, or not at the first attempt</h3>
              <InstanceTable caption="Instances that did not simply move">
                <tbody>
                  {noted.map(instance => (
                    <InstanceRow key={keyOf(instance)} instance={instance} withNode />
                  ))}
                </tbody>
              </InstanceTable>
            </>
          )}
          {smooth.length === 0 ? null : (
            <>
              <h3>Moved or stayed; no pause was seen</h3>
              <InstanceTable caption="Instances that moved or stayed, without a pause that was seen, by node">
                {nodes.map(node => (
                  <tbody key={node}>
                    <tr className="group">
                      <th scope="rowgroup" colSpan={6}>
                        {node}{' '}
                        <span className="quiet">
                          {counted(smooth.filter(instance => instance.node === node).length, 'instance')}
                        </span>
                      </th>
                    </tr>
                    {smooth
                      .filter(instance => instance.node === node)
                      .map(instance => (
                        <InstanceRow key={keyOf(instance)} instance={instance} withNode={false} />
                      ))}
                  </tbody>
                ))}
              </InstanceTable>
            </>
          )}
        </>
      )}
    </Section>
  )
}

function needsReading({ outcome, attempts, downtimeMs, downtimeWords }: ReportInstance): boolean {
  return !SMOOTH.has(outcome) || (attempts ?? 0) > 1 || downtimeMs !== null || downtimeWords !== null
}

function keyOf({ runId, node, id }: ReportInstance): string {
  return `${runId} ${node} ${id}`
}

function countsWords(instances: readonly ReportInstance[]): string {
  const counts = ORDER.flatMap(outcome => {
    const amount = instances.filter(instance => instance.outcome === outcome).length
    return amount === 0 ? [] : [`${amount} ${INSTANCE_WORDS[outcome][0]}`]
  })
  return `${counted(instances.length, 'instance')}: ${counts.join(', ')}.`
}

function InstanceTable({ caption, children }: { readonly caption: string; readonly children: ReactNode }): ReactNode {
  return (
    <Table
      caption={caption}
      className="instances"
      columns={['Instance, its id and project', 'Planned', 'Host', 'Status and power', 'Move took#', 'Outcome']}
    >
      {children}
    </Table>
  )
}

function InstanceRow({
  instance,
  withNode,
}: {
  readonly instance: ReportInstance
  readonly withNode: boolean
}): ReactNode {
  const { before, after } = instance
  const [word, tone] = INSTANCE_WORDS[instance.outcome]
  return (
    <tr>
      <th scope="row">
        {instance.name}
        <code className="below">{instance.id}</code>
        {instance.projectId === null ? null : <code className="below quiet">{instance.projectId}</code>}
      </th>
      <td>
        {actionWords(instance.action)}
        {instance.reason === '' ? null : <span className="below quiet">{instance.reason}</span>}
      </td>
      <td>
        <Change before={hostOf(before)} after={hostOf(after ?? before)} />
        {after === null ? <span className="below quiet">not looked at afterwards</span> : null}
        {withNode && before.host !== instance.node ? (
          <span className="below quiet">of node {instance.node}</span>
        ) : null}
      </td>
      <td>
        <Change before={status(before)} after={status(after ?? before)} />
      </td>
      <td className="figure">
        {lengthWords(instance.moveMs, '–')}
        {instance.attempts !== null && instance.attempts > 1 ? (
          <span className="below">{counted(instance.attempts, 'attempt')}</span>
        ) : null}
      </td>
      <td>
        <Badge words={word} tone={tone} />
        {instance.downtimeMs === null ? null : (
          <span className="below">down for {lengthWords(instance.downtimeMs)}</span>
        )}
        {instance.downtimeWords === null ? null : <span className="below">{instance.downtimeWords}</span>}
        {instance.words === '' ? null : <span className="below quiet">{instance.words}</span>}
      </td>
    </tr>
  )
}

function hostOf({ host }: ReportInstance['before']): string {
  return host ?? 'not known'
}

function status({ status, power }: ReportInstance['before']): string {
  return [status ?? 'status not known', ...(power === null ? [] : [power])].join(', ')
}
