import type { Report, ReportInstance, ReportNode, ReportRun } from '../../shared/domain/report.ts'
import type { NodeStage } from '../../shared/domain/update.ts'
import { counted, someOf } from '../../shared/grammar/counts.ts'
import { NODE_WORDS, runBadge } from '../../shared/words/report-outcomes.ts'
import { RUN_KIND_WORDS } from '../../shared/words/runs.ts'
import { STAGE_WORDS } from '../../shared/words/updates.ts'
import { type Cell, code, id, length, list, name, number, runCell, some, text, time } from './cells.ts'
import {
  col,
  KEY,
  partsOf,
  type Section,
  sideBySide,
  type Table,
  tableOf,
  tableSection,
  WIDE,
  words,
} from './sections.ts'

/** What an owner or an operator still has to do about an instance. */
const OPEN: Readonly<Partial<Record<ReportInstance['outcome'], string>>> = {
  failed: 'could not be moved',
  stopped: 'down; the owner starts it',
  'left-to-owner': 'left to the owner',
  'left-here': 'still here',
  'not-reached': 'not reached or unknown',
}

export function remainsSection(report: Report): Section {
  const nothing =
    report.damage.length > 0
      ? 'Unknown: Lockkeeper could not read part of the journal.'
      : 'Nothing. Every node is back in service, and no instance needs attention.'
  const items = remainsOf(report)
  return {
    id: 'remains',
    title: 'What remains to be done',
    amount: null,
    parts: partsOf({ kind: 'list', title: '', items }, words(items.length === 0 ? nothing : '')),
  }
}

/** Nodes that are not back in service and instances that need attention, one line per kind. */
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

/** Each node: its stages and their lengths, and what it waited for. */
export function nodesSection(report: Report): Section {
  const { nodes } = report
  const hasStages = nodes.some(({ stages, waits, steps }) => stages.length + waits.length > 0 || steps !== undefined)
  const others = nodes.flatMap(({ node, waits }) => waits.slice(1).map(wait => ({ ...wait, node })))
  return {
    id: 'nodes',
    title: 'Nodes',
    amount: nodes.length,
    parts: partsOf(
      outcomesTable(report),
      ...(hasStages ? [stagesTable(nodes)] : []),
      tableOf<(typeof others)[number]>({
        title: 'Shorter waits',
        caption: 'Shorter waits of each node',
        columns: [
          col('node', 'Node', ({ node }) => name(node), KEY),
          col('wait', 'Waited for', ({ what }) => text(what)),
          col('wait_ms', 'How long', ({ ms }) => length(ms, 'still running')),
        ],
        groups: [{ of: others }],
      }),
    ),
  }
}

export function nodesTable(report: Report): Table {
  return sideBySide(outcomesTable(report), stagesTable(report.nodes))
}

function outcomesTable({ nodes, runs }: Report): Table {
  return tableOf<ReportNode>({
    caption: 'Nodes and how far they came',
    columns: [
      col('node', 'Node', ({ node }) => name(node), KEY),
      col('outcome', 'Outcome', ({ outcome }) => code(outcome, ...NODE_WORDS[outcome])),
      col('runs', 'Runs', ({ runIds }) => runCell(runIds.join(' '), runs), { under: 'node' }),
      col('from', 'From', ({ fromAt }) => time(fromAt)),
      col('to', 'To', node => time(node.toAt, openWords(node))),
      col('took_ms', 'Took', tookOf),
      col('instances_moved', 'Instances moved', ({ instancesMoved }) => number(instancesMoved)),
      col('pods_evicted', 'Pods evicted', ({ podsEvicted }) => number(podsEvicted)),
    ],
    groups: [{ of: nodes }],
  })
}

function stagesTable(nodes: readonly ReportNode[]): Table {
  return tableOf<ReportNode>({
    title: 'Stages',
    caption: 'How long each node was in each stage, its longest wait and its steps',
    columns: [
      col('node', 'Node', ({ node }) => name(node), KEY),
      ...STAGES.map(stage => col<ReportNode>(`${stage}_ms`, stageTitle(stage), node => stageCell(node, stage))),
      col('longest_wait', 'Longest wait', ({ waits }) => text(waits[0]?.what ?? null)),
      col('longest_wait_ms', 'For', longestWait, { under: 'longest_wait' }),
      col('steps_verified', 'Steps verified', ({ steps }) => number(steps?.verified ?? null)),
      col('steps_not_verified', 'Not verified', ({ steps }) => some(steps?.notVerified ?? null), UNDER_STEPS),
      col('steps_only_done', 'Only done', ({ steps }) => some(steps?.onlyDone ?? null), UNDER_STEPS),
    ],
    groups: [{ of: nodes }],
  })
}

const UNDER_STEPS = { under: 'steps_verified' }
const STAGES: readonly NodeStage[] = ['requested', 'locks', 'draining', 'work', 'returning']

function stageTitle(stage: NodeStage): string {
  return `${STAGE_WORDS[stage].charAt(0).toUpperCase()}${STAGE_WORDS[stage].slice(1)}`
}

/** A node that stays out has no end; one with running work has none yet. */
function openWords({ fromAt, outcome }: ReportNode): string {
  if (fromAt === null) return ''
  return outcome === 'in-maintenance' ? 'still out' : 'still running'
}

function tookOf(node: ReportNode): Cell {
  const { fromAt, toAt } = node
  if (fromAt === null || toAt === null) return length(null, openWords(node))
  return length(Date.parse(toAt) - Date.parse(fromAt))
}

/** A node may enter a stage twice: the sum of both. */
function stageCell({ stages }: ReportNode, stage: NodeStage): Cell {
  const own = stages.filter(each => each.stage === stage)
  if (own.length === 0) return length(null)
  const all = own.reduce<number | null>((sum, { ms }) => (sum === null || ms === null ? null : sum + ms), 0)
  return length(all, 'still running')
}

function longestWait({ waits: [longest] }: ReportNode): Cell {
  return length(longest?.ms ?? null, longest === undefined ? '' : 'still running')
}

export function runsSection({ runs }: Report): Section {
  return tableSection<ReportRun>({
    id: 'runs',
    title: 'Runs',
    columns: [
      col('kind', 'Run', ({ kind }) => code(kind, RUN_KIND_WORDS[kind]), KEY),
      col('node', 'Node', ({ node }) => name(node), { under: 'kind' }),
      col('id', 'Id', run => id(run.id), { under: 'kind' }),
      col('operator', 'Operator', ({ operator }) => text(operator)),
      col('machine', 'Machine', ({ machine }) => text(machine), { under: 'operator' }),
      col('version', 'Lockkeeper', ({ version }) => name(version), { under: 'operator' }),
      col('from', 'From', ({ fromAt }) => time(fromAt)),
      col('to', 'To', ({ toAt }) => time(toAt, 'still running')),
      col('outcome', 'Outcome', run => code(run.outcome ?? run.state, ...runBadge(run))),
      col('reason', 'Reason', ({ reason }) => text(reason), WIDE),
      col('outside_window', 'Started outside any window', ({ outsideWindow }) => text(outsideWindow), WIDE),
      col('summary', 'Summary', ({ summary }) => text(summary), WIDE),
      col('left_behind', 'Still changed', ({ leftBehind }) => list(leftBehind), WIDE),
    ],
    of: runs,
  })
}
