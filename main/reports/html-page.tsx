import type { ReactNode } from 'react'
import { TimelineFigure } from '../../renderer/ui/timeline-figure.tsx'
import type { Report } from '../../shared/domain/report.ts'
import { countIncidents } from './build-incidents.ts'
import { ClocksPart } from './html-clocks.tsx'
import { AppendixHead, Cover } from './html-cover.tsx'
import { ChecksPart, EditsPart, IncidentsPart, NotesPart } from './html-decisions.tsx'
import { EstimatePart } from './html-estimate.tsx'
import { InstancesPart } from './html-instances.tsx'
import { NodesPart, RunsPart } from './html-nodes.tsx'
import { Nothing, Section } from './html-parts.tsx'
import { ProofPart, VersionsPart } from './html-proof.tsx'
import { RemainsPart } from './html-remains.tsx'
import { CephPart, LocksPart, PodsPart } from './html-services.tsx'
import { SignalsPart } from './html-signals.tsx'
import type { ReportTimes } from './html-times.ts'

/** Two parts fit on a sheet of paper, and one below the summary. */
const LANES_PER_PART = 12
/** The width of a sheet in CSS pixels, so that the picture's writing is as large as it says when printed. */
const SHEET_PX = 700

interface Props {
  readonly report: Report
  readonly times: ReportTimes
}

/** The whole report: first what is for the customer, then what proves it. */
export function ReportPage({ report, times }: Props): ReactNode {
  return (
    <>
      <Cover report={report} times={times} />
      <main>
        <TimelinePart report={report} times={times} />
        <RemainsPart report={report} />
        <AppendixHead report={report} times={times} />
        <Contents report={report} />
        <NodesPart report={report} times={times} />
        <InstancesPart report={report} />
        <PodsPart report={report} times={times} />
        <LocksPart report={report} times={times} />
        <CephPart report={report} times={times} />
        <ChecksPart report={report} times={times} />
        <IncidentsPart report={report} times={times} />
        <EstimatePart report={report} times={times} />
        <EditsPart report={report} times={times} />
        <SignalsPart report={report} times={times} />
        <RunsPart report={report} times={times} />
        <NotesPart report={report} times={times} />
        <VersionsPart report={report} />
        <ClocksPart report={report} times={times} />
        <ProofPart report={report} />
      </main>
      <footer>
        <p>
          {report.title} · made by Lockkeeper {report.madeBy.version} · journal hash <code>{report.chain.after}</code>
        </p>
      </footer>
    </>
  )
}

function TimelinePart({ report, times }: Props): ReactNode {
  const { timeline, window, madeAt } = report
  const isEmpty = timeline.startedAt === null && timeline.lanes.every(({ spans }) => spans.length === 0)
  return (
    <Section id="timeline" title="Timeline">
      {isEmpty ? (
        <Nothing>No node was begun: there is nothing to draw.</Nothing>
      ) : (
        <>
          <TimelineFigure
            name={`Timeline of ${report.title}; the table of nodes tells the same`}
            timeline={timeline}
            nowMs={Date.parse(madeAt)}
            nowWords={`report made ${times.clock(Date.parse(madeAt), false)}`}
            windowEndsAt={window?.endsAt ?? null}
            timeOf={times.clock}
            width={SHEET_PX}
            lanesPerPart={LANES_PER_PART}
          />
          <p className="quiet">Times are those of {times.zone}.</p>
        </>
      )}
    </Section>
  )
}

function Contents({ report }: { readonly report: Report }): ReactNode {
  const parts: readonly (readonly [id: string, title: string, amount: number | null])[] = [
    ['nodes', 'Nodes', report.nodes.length],
    ['instances', 'Instances', report.instances.length],
    ['pods', 'Pods and budgets', report.pods.length],
    ['locks', 'Locks and requests', report.locks.length + report.requests.length],
    ['ceph', 'Ceph', report.cephFlags.length],
    ['checks', 'Checks that did not hold', report.checks.length],
    ['incidents', 'Incidents', countIncidents(report.incidents)],
    ['estimate', 'Estimate against actual', null],
    ['edits', 'Changed by hand', report.edits.length],
    ...(report.signals === undefined ? [] : [['signals', 'Signals', report.signals.length] as const]),
    ['runs', 'Runs', report.runs.length],
    ...(report.window === null ? [] : [['notes', 'Notes', report.window.remarks.length] as const]),
    ['versions', 'Versions', null],
    ...(report.clocks === undefined ? [] : [['clocks', 'Clocks', null] as const]),
    ['proof', 'Proof', null],
  ]
  return (
    <nav aria-label="Contents">
      <ul>
        {parts.map(([id, title, amount]) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
            {amount === null ? null : <span className="quiet"> {amount}</span>}
          </li>
        ))}
      </ul>
    </nav>
  )
}
