import type { ReactNode } from 'react'
import { TimelineFigure } from '../../renderer/ui/timeline-figure.tsx'
import type { Report } from '../../shared/domain/report.ts'
import { AppendixHead, Cover } from './html-cover.tsx'
import { each, PageSection, SectionView } from './html-sections.tsx'
import { reportSections } from './report-sections.ts'
import type { Section } from './sections.ts'
import type { ReportTimes } from './times.ts'

/** Two parts fit on a sheet of paper, and one below the summary. */
const LANES_PER_PART = 12
/** The width of a sheet in CSS pixels, so that the picture's letters are as large as they say when printed. */
const SHEET_PX = 700

interface Props {
  readonly report: Report
  readonly times: ReportTimes
}

/** The whole report: first what is for the customer, then the appendix. */
export function ReportPage({ report, times }: Props): ReactNode {
  const [remains, ...appendix] = reportSections(report, times)
  return (
    <>
      <Cover report={report} times={times} />
      <main>
        <TimelinePart report={report} times={times} />
        {remains === undefined ? null : <SectionView section={remains} times={times} />}
        <AppendixHead report={report} times={times} />
        <Contents sections={appendix} />
        {each(appendix, section => (
          <SectionView section={section} times={times} />
        ))}
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
    <PageSection id="timeline" title="Timeline">
      {isEmpty ? (
        <p className="nothing">Work began on no node.</p>
      ) : (
        <>
          <TimelineFigure
            name={`Timeline of ${report.title}; the table of nodes has the same times`}
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
    </PageSection>
  )
}

function Contents({ sections }: { readonly sections: readonly Section[] }): ReactNode {
  return (
    <nav aria-label="Contents">
      <ul>
        {sections.map(({ id, title, amount }) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
            {amount === null ? null : <span className="quiet"> {amount}</span>}
          </li>
        ))}
      </ul>
    </nav>
  )
}
