import type { ReactNode } from 'react'
import type { Report, ReportNode, ReportRun } from '../../shared/domain/report.ts'
import type { NodeStage } from '../../shared/domain/update.ts'
import { RUN_KIND_WORDS } from '../../shared/words/runs.ts'
import { STAGE_WORDS } from '../../shared/words/updates.ts'
import { Badge, Nothing, nameClass, Section, Table, When } from './html-parts.tsx'
import type { ReportTimes } from './html-times.ts'
import { lengthWords, NODE_WORDS, runBadge } from './html-words.ts'

interface Props {
  readonly report: Report
  readonly times: ReportTimes
}

/** Each node: how far it came, when, how long each stage took and what it waited for longest. */
export function NodesPart({ report, times }: Props): ReactNode {
  const { nodes } = report
  return (
    <Section id="nodes" title="Nodes">
      {nodes.length === 0 ? (
        <Nothing>No node was part of this.</Nothing>
      ) : (
        <>
          <Table
            caption="Nodes and how far they came"
            columns={['Node', 'Outcome', 'From', 'To', 'Took#', 'Instances moved#', 'Pods evicted#']}
          >
            <tbody>
              {nodes.map(node => (
                <tr key={node.node}>
                  <th scope="row" className={nameClass(node.node)}>
                    {node.node}
                  </th>
                  <td>
                    <Badge words={NODE_WORDS[node.outcome][0]} tone={NODE_WORDS[node.outcome][1]} />
                  </td>
                  <td>
                    <When times={times} at={node.fromAt} otherwise="–" />
                  </td>
                  <td>
                    <When times={times} at={node.toAt} otherwise={node.fromAt === null ? '–' : 'not over'} />
                  </td>
                  <td className="figure">{tookOf(node)}</td>
                  <td className="figure">{node.instancesMoved}</td>
                  <td className="figure">{node.podsEvicted}</td>
                </tr>
              ))}
            </tbody>
          </Table>
          <StagesTable nodes={nodes} />
          <WaitsTable nodes={nodes} />
        </>
      )}
    </Section>
  )
}

const STAGES: readonly NodeStage[] = ['requested', 'locks', 'draining', 'work', 'returning']

function StagesTable({ nodes }: { readonly nodes: readonly ReportNode[] }): ReactNode {
  const seen = STAGES.filter(stage => nodes.some(node => node.stages.some(each => each.stage === stage)))
  if (seen.length === 0) return null
  return (
    <>
      <h3>Stages</h3>
      <Table caption="How long each node was in each stage" columns={['Node', ...seen.map(headOf)]}>
        <tbody>
          {nodes
            .filter(node => node.stages.length > 0)
            .map(node => (
              <tr key={node.node}>
                <th scope="row" className={nameClass(node.node)}>
                  {node.node}
                </th>
                {seen.map(stage => (
                  <td key={stage} className="figure">
                    {stageTook(node, stage)}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </Table>
    </>
  )
}

function headOf(stage: NodeStage): string {
  const word = STAGE_WORDS[stage]
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}#`
}

/** A node may come to a stage twice: both together. */
function stageTook(node: ReportNode, stage: NodeStage): string {
  const spans = node.stages.filter(each => each.stage === stage)
  if (spans.length === 0) return '–'
  if (spans.some(({ ms }) => ms === null)) return 'goes on'
  return lengthWords(spans.reduce((sum, { ms }) => sum + (ms ?? 0), 0))
}

function WaitsTable({ nodes }: { readonly nodes: readonly ReportNode[] }): ReactNode {
  const waits = nodes.flatMap(node => node.waits.map(wait => ({ node: node.node, ...wait })))
  if (waits.length === 0) return null
  return (
    <>
      <h3>What was waited for</h3>
      <Table caption="The longest waits of each node" columns={['Node', 'Waited for', 'How long#']}>
        <tbody>
          {waits.map((wait, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a node may wait for the same thing twice, as long each time.
            <tr key={index}>
              <th scope="row" className={nameClass(wait.node)}>
                {wait.node}
              </th>
              <td>{wait.what}</td>
              <td className="figure">{lengthWords(wait.ms, 'not over')}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  )
}

function tookOf({ fromAt, toAt }: ReportNode): string {
  if (fromAt === null) return '–'
  return toAt === null ? 'not over' : lengthWords(Date.parse(toAt) - Date.parse(fromAt))
}

/** Every run that this is about: who drove it, from where, and how it ended. */
export function RunsPart({ report, times }: Props): ReactNode {
  const { runs } = report
  return (
    <Section id="runs" title="Runs">
      {runs.length === 0 ? (
        <Nothing>No run belongs to this.</Nothing>
      ) : (
        <Table caption="Runs" columns={['Run', 'Operator', 'From', 'To', 'Outcome']}>
          {runs.map(run => (
            <tbody key={run.id}>
              <tr>
                <th scope="row">
                  {RUN_KIND_WORDS[run.kind]}
                  {run.node === '' ? '' : `: ${run.node}`}
                  <code className="below">{run.id}</code>
                </th>
                <td>
                  {run.operator}
                  <span className="below quiet">
                    {run.machine}, Lockkeeper {run.version}
                  </span>
                </td>
                <td>
                  <When times={times} at={run.fromAt} />
                </td>
                <td>
                  <When times={times} at={run.toAt} otherwise="not over" />
                </td>
                <td>
                  <Badge words={runBadge(run)[0]} tone={runBadge(run)[1]} />
                </td>
              </tr>
              <RunWords run={run} />
            </tbody>
          ))}
        </Table>
      )}
    </Section>
  )
}

function RunWords({ run }: { readonly run: ReportRun }): ReactNode {
  const said = [
    ...(run.reason === '' ? [] : [`Reason: ${run.reason}`]),
    ...(run.outsideWindow === null ? [] : [`Started outside any window: ${run.outsideWindow}`]),
    ...(run.summary === '' ? [] : [run.summary]),
  ]
  if (said.length === 0 && run.leftBehind.length === 0) return null
  return (
    <tr className="more">
      <td colSpan={5}>
        {said.map(words => (
          <p key={words}>{words}</p>
        ))}
        {run.leftBehind.length === 0 ? null : (
          <>
            <p>Still changed:</p>
            <ul>
              {run.leftBehind.map(left => (
                <li key={left}>{left}</li>
              ))}
            </ul>
          </>
        )}
      </td>
    </tr>
  )
}
