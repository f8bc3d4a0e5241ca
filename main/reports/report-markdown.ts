import type { Report } from '../../shared/domain/report.ts'
import { visibleText } from '../../shared/domain/visible-text.ts'
import { counted } from '../../shared/grammar/counts.ts'
import { durationWords } from '../../shared/grammar/durations.ts'
import { momentWords } from '../../shared/grammar/times.ts'
import { stepTallyWords } from '../../shared/words/step-tally.ts'
import { CLOCKS_WORDS, clockOff, incidentsWords, NO_CLOCKS, overranWords, wordedBy } from './report-words.ts'

/** A report as Markdown, for tickets and wikis; tables of what matters, the whole of it is in the JSON. */
export function reportMarkdown(report: Report): string {
  const { summary, window } = report
  const when = (at: string | null) => (at === null ? '' : momentWords(at, window?.timeZone ?? 'UTC'))
  const parts: readonly (readonly string[])[] = [
    [`# ${inline(report.title)}`],
    report.completeness.kind === 'final' ? [] : [`> **${inline(report.completeness.words)}**`],
    report.redacted ? ['> Names of instances and projects are replaced, and what people wrote is left out.'] : [],
    [`**${inline(summary.headline)}**`],
    bullets(summary.lines),
    section('Figures', figures(report)),
    window === null ? [] : section('Window', windowLines(report, when)),
    section(
      'Runs',
      table(
        ['Run', 'What', 'Node', 'Outcome', 'Operator', 'From', 'To', 'Summary'],
        report.runs.map(run => [
          run.id,
          run.kind,
          run.node === '' ? 'cluster' : run.node,
          run.stands ?? run.outcome ?? run.state,
          `${run.operator} on ${run.machine}`,
          when(run.fromAt),
          when(run.toAt),
          [run.summary, ...(run.outsideWindow === null ? [] : [`Outside any window: ${run.outsideWindow}`])].join(' '),
        ]),
      ),
    ),
    section(
      'Nodes',
      table(
        ['Node', 'Outcome', 'From', 'To', 'Stages', 'Instances moved', 'Pods evicted', 'Longest wait'],
        report.nodes.map(node => [
          node.node,
          node.outcome,
          when(node.fromAt),
          when(node.toAt),
          node.stages.map(({ stage, ms }) => `${stage} ${ms === null ? 'goes on' : durationWords(ms)}`).join(', '),
          String(node.instancesMoved),
          String(node.podsEvicted),
          waitWords(node.waits[0]),
        ]),
      ),
    ),
    section(
      'Instances',
      table(
        ['Instance', 'Id', 'Project', 'Node', 'Before', 'After', 'Outcome', 'Attempts', 'Took', 'What became of it'],
        report.instances.map(each => [
          each.name,
          each.id,
          each.projectId ?? 'not known',
          each.node,
          placeWords(each.before),
          each.after === null ? 'nobody looked' : placeWords(each.after),
          each.outcome,
          each.attempts === null ? 'not known' : String(each.attempts),
          each.moveMs === null ? '' : durationWords(each.moveMs),
          [each.words, each.downtimeWords ?? ''].join(' ').trim(),
        ]),
      ),
    ),
    section(
      'Pods',
      table(
        ['Pod', 'Node', 'How', 'Outcome', 'Waited for budgets', 'Budgets'],
        report.pods.map(pod => [
          `${pod.namespace}/${pod.name}`,
          pod.node,
          pod.how,
          pod.outcome,
          pod.waitedMs === null ? 'not known' : pod.waitedMs === 0 ? '' : durationWords(pod.waitedMs),
          pod.refusals.map(({ words }) => words).join('; '),
        ]),
      ),
    ),
    section(
      'Locks',
      table(
        ['At', 'Node', 'Controller', 'State', 'Says'],
        report.locks.map(lock => [when(lock.at), lock.node, lock.controller, lock.state, lock.message]),
      ),
    ),
    section(
      'Maintenance requests',
      table(
        ['Name', 'Node', 'Scope', 'Made', 'Removed'],
        report.requests.map(each => [
          each.name,
          each.node === '' ? 'cluster' : each.node,
          each.scope ?? '',
          when(each.createdAt),
          when(each.removedAt),
        ]),
      ),
    ),
    section(
      'Ceph flags',
      table(
        ['At', 'What', 'From', 'To'],
        report.cephFlags.map(flag => [when(flag.at), flag.what, flag.from, flag.to]),
      ),
    ),
    section(
      'Checks that did not hold',
      table(
        ['At', 'Node', 'Check', 'What it said', 'Overridden'],
        report.checks.map(check => [
          when(check.at),
          check.node,
          check.title,
          check.message,
          check.overridden === null
            ? 'no'
            : `--${check.overridden.flag} by ${check.overridden.by}: ${check.overridden.reason}`,
        ]),
      ),
    ),
    section(
      'Incidents',
      report.incidents.length === 0
        ? []
        : [
            `${incidentsWords(report.incidents)}.`,
            '',
            ...table(
              ['At', 'What', 'Subject', 'Words'],
              report.incidents.map(each => [when(each.at), each.kind, each.subject, each.words]),
            ),
          ],
    ),
    section(
      'Changes by hand',
      table(
        ['At', 'Operator', 'Target', 'Before', 'After', 'Refused'],
        report.edits.map(edit => [
          when(edit.at),
          edit.operator,
          edit.target,
          edit.before,
          edit.after,
          edit.refused ?? '',
        ]),
      ),
    ),
    report.signals === undefined
      ? []
      : section(
          'Signals',
          table(
            ['When', 'Run', 'About', 'What was told'],
            report.signals.map(({ at, runId, about, words }) => [when(at), runId, about, words]),
          ),
        ),
    report.estimate === null ? [] : section('Estimate against actual', [inline(report.estimate.words)]),
    section(
      'Versions',
      table(
        ['What', 'Version'],
        report.versions.map(({ name, value }) => [name, value]),
      ),
    ),
    report.clocks === undefined ? [] : section('Clocks', clockLines(report.clocks, when)),
    report.damage.length === 0 ? [] : section('Damage to the journal', bullets(report.damage)),
    section('Proof', proofLines(report)),
  ]
  const text = parts.filter(lines => lines.length > 0).map(lines => lines.join('\n'))
  return visibleText(`${text.join('\n\n')}\n`)
}

function clockLines(clocks: NonNullable<Report['clocks']>, when: (at: string) => string): readonly string[] {
  if (clocks.length === 0) return [NO_CLOCKS]
  const rows = clocks.flatMap(({ runId, server, measured }) =>
    measured.map(({ at, aheadMs }) => [runId, server, when(at), clockOff(aheadMs)]),
  )
  return [CLOCKS_WORDS, '', ...table(['Run', 'Clock of', 'Measured', "Against the console's"], rows)]
}

function figures({ summary }: Report): readonly string[] {
  const { figures: all } = summary
  const stopped =
    all.downtimeMs === null ? `${all.instancesStopped}, for how long is not known` : String(all.instancesStopped)
  return table(
    ['Figure', 'Value'],
    [
      ['Nodes done', `${all.nodesDone} of ${all.nodesPlanned}`],
      ['Instances moved', String(all.instancesMoved)],
      ['Instances stopped', stopped],
      ['Instances that failed', String(all.instancesFailed)],
      ['Pods evicted', String(all.podsEvicted)],
      ['Checks overridden', String(all.overrides)],
      ['Incidents', String(all.incidents)],
      ...(all.steps === undefined ? [] : [['Steps', stepTallyWords(all.steps)]]),
    ],
  )
}

function windowLines(report: Report, when: (at: string) => string): readonly string[] {
  const { window } = report
  if (window === null) return []
  const closed = window.closed
  return [
    ...bullets([
      `${window.title}${window.ticket === '' ? '' : `, ticket ${window.ticket}`}`,
      `${when(window.startsAt)} to ${when(window.endsAt)}, announced by ${window.operator}; ${window.status}`,
      ...(window.overranMs > 0 ? [overranWords(report)] : []),
      ...(closed === null
        ? []
        : [`Closed ${when(closed.at)} by ${closed.by}${closed.summary === '' ? '' : `: ${closed.summary}`}`]),
      ...window.remarks.map(({ at, kind, text, by }) => `${when(at)}, ${kind} by ${by}: ${text}`),
    ]),
    ...(window.notes === '' ? [] : ['', ...window.notes.split('\n').map(line => `> ${inline(line)}`)]),
  ]
}

function proofLines({ chain, entries, madeAt, madeBy, redacted, signature }: Report): readonly string[] {
  const [first, last] = [chain.links[0], chain.links.at(-1)]
  const links = first === undefined || last === undefined ? 'an empty stretch' : `links ${first.seq} to ${last.seq}`
  const facts = bullets([
    `Made ${madeAt} by ${madeBy.operator} on ${madeBy.machine}, Lockkeeper ${madeBy.version}`,
    `From ${redacted ? 'entries, left out here,' : counted(entries.length, 'entry', 'entries')} of the journal, ${links} of its chain (${chain.algorithm})`,
    `Hash of the last link: ${chain.after}`,
    `${wordedBy(madeBy.version)}.`,
    ...(signature === undefined ? [] : [`Signed by key: ${signature.fingerprint}`]),
  ])
  return [
    ...facts,
    '- This text carries no proof itself: `lockkeeper report verify` takes the same report as JSON or HTML.',
  ]
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', ...lines]
}

/** Empty where there is no row: a heading over nothing says nothing. */
function table(header: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return []
  const line = (cells: readonly string[]) => `| ${cells.map(inline).join(' | ')} |`
  return [line(header), `|${header.map(() => ' --- |').join('')}`, ...rows.map(line)]
}

function bullets(lines: readonly string[]): readonly string[] {
  return lines.map(line => `- ${inline(line)}`)
}

function placeWords({ host, status, power }: Report['instances'][number]['before']): string {
  return [host ?? 'host not known', status ?? 'state not known', ...(power === null ? [] : [power])].join(', ')
}

function waitWords(wait: Report['nodes'][number]['waits'][number] | undefined): string {
  if (wait === undefined) return ''
  return `${wait.what} (${wait.ms === null ? 'goes on' : durationWords(wait.ms)})`
}

/** One line, and nothing in it is taken for markup: the text comes from clouds and people. */
function inline(text: string): string {
  return visibleText(text)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_{}[\]<>|#~&]/g, '\\$&')
    .replace(/^([-+]|\d+[.)])(?= )/, '\\$1')
}
