import type { Report, ReportInstance, ReportNode, ReportRun } from '../../shared/domain/report.ts'
import type { NodeStage } from '../../shared/domain/update.ts'
import { counted, someOf } from '../../shared/grammar/counts.ts'
import { NODE_WORDS, runBadge } from '../../shared/words/report-outcomes.ts'
import { RUN_KIND_WORDS } from '../../shared/words/runs.ts'
import { STAGE_WORDS } from '../../shared/words/updates.ts'
import { code, id, length, list, name, number, some, text, time } from './cells.ts'
import { type ColumnOf, partsOf, type Section, sideBySide, type Table, tableOf, words } from './sections.ts'

/** What an owner or an operator still has to do about an instance. */
const OPEN: Readonly<Partial<Record<ReportInstance['outcome'], string>>> = {
  failed: 'could not be moved',
  stopped: 'down; the owner starts it',
  'left-to-owner': 'left to the owner',
  'left-here': 'still here',
  'not-reached': 'not reached or not known',
}

/** What is left to do after the work, according to the journal. */
export function remainsSection(report: Report): Section {
  const nothing =
    report.damage.length > 0
      ? 'Not known: Lockkeeper could not read part of the journal.'
      : 'Nothing: every node is back in service, and no instance needs anybody.'
  const items = remainsOf(report)
  return {
    id: 'remains',
    title: 'What remains to be done',
    amount: null,
    parts: partsOf({ kind: 'list', title: '', items }, words(items.length === 0 ? nothing : '')),
    nothing,
  }
}

/** Nodes that are not back in service and instances that need somebody, a line for each kind. */
export function remainsOf({ nodes, instances }: Pick<Report, 'nodes' | 'instances'>): readonly string[] {
  const away = Map.groupBy(
    nodes.filter(({ outcome }) => outcome !== 'back'),
    ({ outcome }) => outcome,
  )
  const open = Map.groupBy(instances, ({ outcome }) => outcome)
  return [
    ...[...away].map(
      ([outcome, found]) =>
        `${counted(found.length, 'node')} ${NODE_WORDS[outcome][0]}: ${someOf(found.map(({ node }) => node))}.`,
    ),
    ...[...open].flatMap(([outcome, found]) => {
      const said = OPEN[outcome]
      return said === undefined
        ? []
        : [`${counted(found.length, 'instance')} ${said}: ${someOf(found.map(each => each.name))}.`]
    }),
  ]
}

/** Each node: how far it came, how long each stage took, and what it waited for. */
export function nodesSection({ nodes, runs }: Report): Section {
  const isTold = nodes.some(({ stages, waits, steps }) => stages.length + waits.length > 0 || steps !== undefined)
  const others = nodes.flatMap(node => node.waits.slice(1).map(wait => ({ ...wait, node: node.node })))
  return {
    id: 'nodes',
    title: 'Nodes',
    amount: nodes.length,
    parts: partsOf(
      outcomesTable(nodes, runs),
      ...(isTold ? [stagesTable(nodes)] : []),
      tableOf({
        title: 'What else was waited for',
        caption: 'Shorter waits of each node',
        columns: [
          { name: 'node', title: 'Node', isKey: true, cell: wait => name(wait.node) },
          { name: 'wait', title: 'Waited for', cell: wait => text(wait.what) },
          { name: 'wait_ms', title: 'How long', cell: wait => length(wait.ms, 'not over') },
        ],
        groups: [{ of: others }],
      }),
    ),
    nothing: 'No node was part of this.',
  }
}

/** All that is known of each node in one table, for CSV. */
export function nodesTable({ nodes, runs }: Report): Table {
  return sideBySide(outcomesTable(nodes, runs), stagesTable(nodes))
}

function outcomesTable(nodes: readonly ReportNode[], runs: readonly ReportRun[]): Table {
  return tableOf<ReportNode>({
    caption: 'Nodes and how far they came',
    columns: [
      NODE,
      { name: 'outcome', title: 'Outcome', cell: node => code(node.outcome, ...NODE_WORDS[node.outcome]) },
      { name: 'runs', title: 'Runs', under: 'node', cell: node => runsCell(node, runs) },
      { name: 'from', title: 'From', cell: node => time(node.fromAt) },
      { name: 'to', title: 'To', cell: node => time(node.toAt, node.fromAt === null ? '' : 'not over') },
      { name: 'took_ms', title: 'Took', cell: tookOf },
      { name: 'instances_moved', title: 'Instances moved', cell: node => number(node.instancesMoved) },
      { name: 'pods_evicted', title: 'Pods evicted', cell: node => number(node.podsEvicted) },
    ],
    groups: [{ of: nodes }],
  })
}

function stagesTable(nodes: readonly ReportNode[]): Table {
  return tableOf<ReportNode>({
    title: 'Stages',
    caption: 'How long each node was in each stage, its longest wait and its steps',
    columns: [
      NODE,
      ...STAGES.map(
        (stage): ColumnOf<ReportNode> => ({
          name: `${stage}_ms`,
          title: `${STAGE_WORDS[stage].charAt(0).toUpperCase()}${STAGE_WORDS[stage].slice(1)}`,
          cell: node => stageCell(node, stage),
        }),
      ),
      { name: 'longest_wait', title: 'Longest wait', cell: node => text(node.waits[0]?.what ?? null) },
      { name: 'longest_wait_ms', title: 'For', under: 'longest_wait', cell: longestWait },
      { name: 'steps_verified', title: 'Steps verified', cell: node => number(node.steps?.verified ?? null) },
      {
        name: 'steps_not_verified',
        title: 'Not verified',
        under: 'steps_verified',
        cell: node => some(node.steps?.notVerified ?? null),
      },
      {
        name: 'steps_only_done',
        title: 'Only done',
        under: 'steps_verified',
        cell: node => some(node.steps?.onlyDone ?? null),
      },
    ],
    groups: [{ of: nodes }],
  })
}

const NODE: ColumnOf<ReportNode> = { name: 'node', title: 'Node', isKey: true, cell: node => name(node.node) }
const STAGES: readonly NodeStage[] = ['requested', 'locks', 'draining', 'work', 'returning']

/** Where there is only one run, nobody has to read it for each node. */
function runsCell({ runIds }: ReportNode, runs: readonly ReportRun[]) {
  return runs.length === 1 ? code(runIds.join(' '), '') : id(runIds.join(' '))
}

function tookOf({ fromAt, toAt }: ReportNode) {
  if (fromAt === null) return length(null)
  return length(toAt === null ? null : Date.parse(toAt) - Date.parse(fromAt), 'not over')
}

/** A node may come to a stage twice: both times together. */
function stageCell({ stages }: ReportNode, stage: NodeStage) {
  const own = stages.filter(each => each.stage === stage)
  if (own.length === 0) return length(null)
  return length(
    own.reduce<number | null>((sum, { ms }) => (sum === null || ms === null ? null : sum + ms), 0),
    'not over',
  )
}

function longestWait({ waits: [longest] }: ReportNode) {
  return length(longest?.ms ?? null, longest === undefined ? '' : 'not over')
}

/** Every run: who started it, from where, and how it ended. */
export function runsSection({ runs }: Report): Section {
  return {
    id: 'runs',
    title: 'Runs',
    amount: runs.length,
    parts: partsOf(
      tableOf<ReportRun>({
        caption: 'Runs',
        columns: [
          { name: 'kind', title: 'Run', isKey: true, cell: run => code(run.kind, RUN_KIND_WORDS[run.kind]) },
          { name: 'node', title: 'Node', under: 'kind', cell: run => name(run.node) },
          { name: 'id', title: 'Id', under: 'kind', cell: run => id(run.id) },
          { name: 'operator', title: 'Operator', cell: run => text(run.operator) },
          { name: 'machine', title: 'Machine', under: 'operator', cell: run => text(run.machine) },
          { name: 'version', title: 'Lockkeeper', under: 'operator', cell: run => name(run.version) },
          { name: 'from', title: 'From', cell: run => time(run.fromAt) },
          { name: 'to', title: 'To', cell: run => time(run.toAt, 'not over') },
          { name: 'outcome', title: 'Outcome', cell: run => code(run.outcome ?? run.state, ...runBadge(run)) },
          { name: 'reason', title: 'Reason', isWide: true, cell: run => text(run.reason) },
          {
            name: 'outside_window',
            title: 'Started outside any window',
            isWide: true,
            cell: run => text(run.outsideWindow),
          },
          { name: 'summary', title: 'Summary', isWide: true, cell: run => text(run.summary) },
          { name: 'left_behind', title: 'Still changed', isWide: true, cell: run => list(run.leftBehind) },
        ],
        groups: [{ of: runs }],
      }),
    ),
    nothing: 'No run belongs to this.',
  }
}
