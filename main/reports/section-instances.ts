import type { Report, ReportInstance, ReportPod } from '../../shared/domain/report.ts'
import { counted } from '../../shared/grammar/counts.ts'
import { actionWords, INSTANCE_WORDS, POD_WORDS } from '../../shared/words/report-outcomes.ts'
import { code, id, length, list, name, number, text, time } from './cells.ts'
import { partsOf, type Section, type Table, tableOf, words } from './sections.ts'
import type { ReportTimes } from './times.ts'

type Outcome = ReportInstance['outcome']

const SMOOTH: ReadonlySet<Outcome> = new Set(['moved', 'stayed', 'settled'])
/** The order in which people want to know. */
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

/** Every instance, before and after: first those that people have to read about, then the others by node. */
export function instancesSection({ instances, runs }: Report): Section {
  const noted = instances
    .filter(needsReading)
    .sort((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome) || Number(b.downtimeMs) - Number(a.downtimeMs))
  return {
    id: 'instances',
    title: 'Instances',
    amount: instances.length,
    parts:
      instances.length === 0
        ? []
        : partsOf(
            words(countsWords(instances)),
            words(noted.length === 0 ? 'None of them paused, failed or needed a second attempt.' : '', 'quiet'),
            instanceTable(runs, [
              { title: 'Failed, not reached, stopped, left to the owner, or not at the first attempt', of: noted },
              {
                title: 'Moved or stayed; no pause was seen',
                by: 'node',
                of: instances.filter(instance => !needsReading(instance)),
              },
            ]),
          ),
    nothing: 'No instance was moved, stopped or left on its host.',
  }
}

/** All instances in the order of the report, for CSV. */
export function instancesTable({ instances, runs }: Report): Table {
  return instanceTable(runs, [{ of: instances }])
}

function instanceTable(runs: Report['runs'], groups: Parameters<typeof tableOf<ReportInstance>>[0]['groups']): Table {
  return tableOf<ReportInstance>({
    caption: 'Instances before and after',
    columns: [
      { name: 'id', title: 'Id', under: 'name', cell: each => id(each.id) },
      { name: 'name', title: 'Instance', isKey: true, cell: each => text(each.name) },
      { name: 'project_id', title: 'Project', under: 'name', cell: each => id(each.projectId) },
      { name: 'node', title: 'Node', under: 'host_before', cell: each => name(each.node) },
      { name: 'run', title: 'Run', under: 'name', cell: each => runCell(each, runs) },
      { name: 'action', title: 'Planned', cell: each => code(each.action, actionWords(each.action)) },
      { name: 'reason', title: 'Reason', under: 'action', cell: each => text(each.reason) },
      { name: 'outcome', title: 'Outcome', cell: each => code(each.outcome, ...INSTANCE_WORDS[each.outcome]) },
      { name: 'host_before', title: 'Host before', cell: ({ before }) => text(before.host, 'not known') },
      { name: 'status_before', title: 'Status before', cell: ({ before }) => text(before.status, 'not known') },
      { name: 'power_before', title: 'Power before', under: 'status_before', cell: ({ before }) => text(before.power) },
      { name: 'host_after', title: 'Host after', after: 'host_before', cell: hostAfter },
      { name: 'status_after', title: 'Status after', after: 'status_before', cell: statusAfter },
      {
        name: 'power_after',
        title: 'Power after',
        after: 'power_before',
        cell: ({ after }) => text(after?.power ?? null),
      },
      { name: 'attempts', title: 'Attempts', under: 'move_ms', cell: each => number(each.attempts, 'not known') },
      { name: 'move_ms', title: 'Move took', cell: each => length(each.moveMs) },
      { name: 'downtime_ms', title: 'Downtime', under: 'outcome', cell: each => length(each.downtimeMs) },
      { name: 'downtime', title: 'Downtime seen', under: 'outcome', cell: each => text(each.downtimeWords) },
      { name: 'words', title: 'What became of it', under: 'outcome', cell: each => text(each.words) },
    ],
    groups,
  })
}

function hostAfter({ after }: ReportInstance) {
  return after === null ? text(null, 'nobody looked afterwards') : text(after.host, 'not known')
}

function statusAfter({ after }: ReportInstance) {
  return text(after?.status ?? null, after === null ? '' : 'not known')
}

function needsReading({ outcome, attempts, downtimeMs, downtimeWords }: ReportInstance): boolean {
  return !SMOOTH.has(outcome) || (attempts ?? 0) > 1 || downtimeMs !== null || downtimeWords !== null
}

function countsWords(instances: readonly ReportInstance[]): string {
  const counts = ORDER.flatMap(outcome => {
    const amount = instances.filter(instance => instance.outcome === outcome).length
    return amount === 0 ? [] : [`${amount} ${INSTANCE_WORDS[outcome][0]}`]
  })
  return `${counted(instances.length, 'instance')}: ${counts.join(', ')}.`
}

/** Pods that were to leave: first those that a budget held or that did not leave, then the others by node. */
export function podsSection({ pods, runs }: Report, times: ReportTimes): Section {
  const waited = pods.filter(({ refusals }) => refusals.length > 0).length
  const noted = pods.filter(({ outcome, refusals }) => outcome !== 'left' || refusals.length > 0)
  return {
    id: 'pods',
    title: 'Pods and budgets',
    amount: pods.length,
    parts:
      pods.length === 0
        ? []
        : partsOf(
            words(
              `${counted(pods.length, 'pod')} asked to leave; ${waited === 0 ? 'none' : String(waited)} waited for a budget.`,
            ),
            tableOf<ReportPod>({
              caption: 'Pods that were asked to leave',
              columns: [
                { name: 'pod', title: 'Pod', isKey: true, cell: pod => text(`${pod.namespace}/${pod.name}`) },
                { name: 'node', title: 'Node', cell: pod => name(pod.node) },
                { name: 'how', title: 'How', cell: pod => text(pod.how) },
                { name: 'asked', title: 'Asked', cell: pod => time(pod.askedAt) },
                { name: 'left', title: 'Left', cell: pod => time(pod.leftAt, 'not seen') },
                { name: 'waited_ms', title: 'Waited for budgets', cell: waitedCell },
                { name: 'outcome', title: 'Outcome', cell: pod => code(pod.outcome, ...POD_WORDS[pod.outcome]) },
                {
                  name: 'words',
                  title: 'What became of it',
                  under: 'outcome',
                  cell: pod => text(pod.outcome === 'left' ? null : pod.words),
                },
                { name: 'budgets', title: 'Budgets', isWide: true, cell: pod => list(refusals(pod, times)) },
                { name: 'run', title: 'Run', under: 'pod', cell: pod => runCell(pod, runs) },
              ],
              groups: [
                { title: 'Held by a budget, or not gone', of: noted },
                { title: 'Left when asked', by: 'node', of: pods.filter(pod => !noted.includes(pod)) },
              ],
            }),
          ),
    nothing: 'No pod was evicted.',
  }
}

function waitedCell({ waitedMs, refusals: { length: times } }: ReportPod) {
  return length(waitedMs === 0 ? null : waitedMs, times === 0 ? '' : 'not known')
}

/** What budgets said; what they said several times stands once, with how often and until when. */
function refusals({ refusals: all }: ReportPod, { stamp }: ReportTimes): readonly string[] {
  return [...Map.groupBy(all, ({ words: said }) => said)].map(([said, same]) => {
    const [from, to] = [same[0]?.at ?? '', same.at(-1)?.at ?? '']
    const when =
      same.length === 1 ? `at ${stamp(from).zoned}` : `${same.length} times, ${stamp(from).zoned} to ${stamp(to).zoned}`
    return `${said} (${when})`
  })
}

/** The run that a row belongs to. Where there is only one, nobody has to read it in each row. */
function runCell({ runId }: { readonly runId: string }, { length: amount }: Report['runs']) {
  return amount === 1 ? code(runId, '') : id(runId)
}
