import type { Report, ReportInstance, ReportPod } from '../../shared/domain/report.ts'
import { counted } from '../../shared/grammar/counts.ts'
import { actionWords, INSTANCE_WORDS, POD_WORDS } from '../../shared/words/report-outcomes.ts'
import { code, id, length, list, name, number, runCell, text, time } from './cells.ts'
import { col, KEY, partsOf, type Section, type Table, tableOf, WIDE, words } from './sections.ts'
import type { ReportTimes } from './times.ts'

type Outcome = ReportInstance['outcome']

const SMOOTH: ReadonlySet<Outcome> = new Set(['moved', 'stayed', 'settled'])
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

/** Every instance before and after: first those that need attention, then the others by node. */
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
            instanceTable(runs, [
              { title: 'Failed, not reached, stopped, left to the owner, or not at the first attempt', of: noted },
              {
                title: 'Moved or stayed; no pause was seen',
                by: { column: 'node', noun: 'instance' },
                of: instances.filter(instance => !needsReading(instance)),
              },
            ]),
          ),
  }
}

export function instancesTable({ instances, runs }: Report): Table {
  return instanceTable(runs, [{ of: instances }])
}

function instanceTable(runs: Report['runs'], groups: Parameters<typeof tableOf<ReportInstance>>[0]['groups']): Table {
  return tableOf<ReportInstance>({
    caption: 'Instances before and after',
    columns: [
      col('id', 'Id', each => id(each.id), { under: 'name' }),
      col('name', 'Instance', each => text(each.name), KEY),
      col('project_id', 'Project', each => id(each.projectId), { under: 'name' }),
      col('node', 'Node', nodeCell, { under: 'host_before' }),
      col('run', 'Run', ({ runId }) => runCell(runId, runs), { under: 'name' }),
      col('action', 'Planned', each => code(each.action, actionWords(each.action))),
      col('reason', 'Reason', each => text(each.reason), { under: 'action' }),
      col('outcome', 'Outcome', each => code(each.outcome, ...INSTANCE_WORDS[each.outcome])),
      col('host_before', 'Host before', ({ before }) => text(before.host, 'unknown')),
      col('status_before', 'Status before', ({ before }) => text(before.status, 'unknown')),
      col('power_before', 'Power before', each => power(each, each.before.power), { under: 'status_before' }),
      col('host_after', 'Host after', hostAfter, { after: 'host_before' }),
      col('status_after', 'Status after', statusAfter, { after: 'status_before' }),
      col('power_after', 'Power after', each => power(each, each.after?.power ?? null), { after: 'power_before' }),
      col('attempts', 'Attempts', attempts, { under: 'move_ms' }),
      col('move_ms', 'Move took', each => length(each.moveMs)),
      col('downtime_ms', 'Downtime', each => length(each.downtimeMs), { under: 'outcome' }),
      col('downtime', 'Downtime seen', each => text(each.downtimeWords), { under: 'outcome' }),
      col('words', 'Result', each => text(each.words), { under: 'outcome' }),
    ],
    groups,
  })
}

/** The node of the run, where the instance ran on another host. */
function nodeCell({ node, before }: ReportInstance) {
  return before.host === node ? code(node, '') : name(node)
}

/** Only a second attempt is worth reading. */
function attempts({ attempts: amount }: ReportInstance) {
  return amount !== null && amount <= 1 ? code(String(amount), '') : number(amount, 'unknown')
}

/** The power state; nothing for an instance that runs before and after. */
function power({ before, after }: ReportInstance, state: string | null) {
  const isPlain = before.power === 'Running' && (after === null || after.power === 'Running')
  return isPlain && state !== null ? code(state, '') : text(state)
}

function hostAfter({ after }: ReportInstance) {
  return after === null ? text(null, 'nobody looked afterwards') : text(after.host, 'unknown')
}

function statusAfter({ after }: ReportInstance) {
  return text(after?.status ?? null, after === null ? '' : 'unknown')
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

/** How a pod leaves; another word of a journal stays as it is. */
const HOW_WORDS: ReadonlyMap<string, string> = new Map([
  ['evict', 'evicted'],
  ['delete', 'deleted'],
])

/** Pods that had to leave: first those that a budget blocked or that stayed, then the others by node. */
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
              `${counted(pods.length, 'pod')} had to leave${waited === 0 ? '' : `; ${waited} waited for a budget`}.`,
            ),
            tableOf<ReportPod>({
              caption: 'Pods that had to leave',
              columns: [
                col('pod', 'Pod', pod => text(`${pod.namespace}/${pod.name}`), KEY),
                col('node', 'Node', pod => name(pod.node)),
                col('how', 'How', ({ how }) => code(how, HOW_WORDS.get(how) ?? how)),
                col('asked', 'Asked', pod => time(pod.askedAt)),
                col('left', 'Left', pod => time(pod.leftAt, 'not seen')),
                col('waited_ms', 'Waited for budgets', waitedCell),
                col('outcome', 'Outcome', pod => code(pod.outcome, ...POD_WORDS[pod.outcome])),
                col('words', 'Result', pod => text(pod.outcome === 'left' ? null : pod.words), {
                  under: 'outcome',
                }),
                col('budgets', 'Budgets', pod => list(refusals(pod, times)), WIDE),
                col('run', 'Run', ({ runId }) => runCell(runId, runs), { under: 'pod' }),
              ],
              groups: [
                { title: 'Held by a budget, or not gone', of: noted },
                {
                  title: 'Left when asked',
                  by: { column: 'node', noun: 'pod' },
                  of: pods.filter(pod => !noted.includes(pod)),
                },
              ],
            }),
          ),
  }
}

function waitedCell({ waitedMs, refusals: { length: times } }: ReportPod) {
  return length(waitedMs === 0 ? null : waitedMs, times === 0 ? '' : 'unknown')
}

/** The budgets' refusals. Equal ones appear once, with their number and last time. */
function refusals({ refusals: all }: ReportPod, { stamp }: ReportTimes): readonly string[] {
  return [...Map.groupBy(all, ({ words: said }) => said)].map(([said, same]) => {
    const [from, to] = [same[0]?.at ?? '', same.at(-1)?.at ?? '']
    const when =
      same.length === 1 ? `at ${stamp(from).zoned}` : `${same.length} times, ${stamp(from).zoned} to ${stamp(to).zoned}`
    return `${said} (${when})`
  })
}
