import type { ReactNode } from 'react'
import { TimelineFigure } from '../../renderer/ui/timeline-figure.tsx'
import type { Report } from '../../shared/domain/report.ts'
import { OUTCOME_WORDS, outcomeTone } from '../../shared/words/report-outcomes.ts'
import { figuresOf, reportFacts, warningsOf, workFacts, zoneWords } from './cover.ts'
import { badge, type DrawLater, each, factsHtml, linesHtml, pageSection, sectionHtml } from './html-sections.tsx'
import { reportSections } from './report-sections.ts'
import type { Section } from './sections.ts'
import { type ReportTimes, timesOf } from './times.ts'

/** Two parts fit on a sheet, and one below the summary. */
const LANES_PER_PART = 12
/** The width of a sheet in CSS pixels, so that letters print at their nominal size. */
const SHEET_PX = 700

/** The whole report, part by part: first the customer's part, then the appendix. Elements that hold several parts are opened and closed as text. */
export function reportParts(report: Report): readonly (string | ((later: DrawLater) => ReactNode))[] {
  const times = timesOf(report)
  const [remains, ...appendix] = reportSections(report, times)
  return [
    () => coverHtml(report, times),
    '<main>',
    () => timelineHtml(report, times),
    later => (remains === undefined ? null : sectionHtml(remains, times, later)),
    () => appendixHtml(report, times),
    () => contentsHtml(appendix),
    ...appendix.map(section => (later: DrawLater) => sectionHtml(section, times, later)),
    '</main>',
    () => (
      <footer>
        <p>
          {report.title} · made by Lockkeeper {report.madeBy.version} · journal hash <code>{report.chain.after}</code>
        </p>
      </footer>
    ),
  ]
}

function timelineHtml({ title, timeline, window, madeAt }: Report, times: ReportTimes): ReactNode {
  const isEmpty = timeline.startedAt === null && timeline.lanes.every(({ spans }) => spans.length === 0)
  if (isEmpty) return pageSection('timeline', 'Timeline', <p className="nothing">No work started on any node.</p>)
  return pageSection(
    'timeline',
    'Timeline',
    <TimelineFigure
      name={`Timeline of ${title}; the table of nodes has the same times`}
      timeline={timeline}
      nowMs={Date.parse(madeAt)}
      nowWords={`report made ${times.clock(Date.parse(madeAt), false)}`}
      windowEndsAt={window?.endsAt ?? null}
      timeOf={times.clock}
      width={SHEET_PX}
      lanesPerPart={LANES_PER_PART}
    />,
    <p className="quiet">Times are those of {times.zone}.</p>,
  )
}

function contentsHtml(sections: readonly Section[]): ReactNode {
  return (
    <nav aria-label="Contents">
      <ul>
        {each(sections, ({ id, title, amount }) => (
          <li>
            <a href={`#${id}`}>{title}</a>
            {amount === null ? null : <span className="quiet"> {amount}</span>}
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The cover, which a customer reads in half a minute: what, where, when, how it ended, and its effect. */
function coverHtml(report: Report, times: ReportTimes): ReactNode {
  const { summary, cluster, subject } = report
  return (
    <header className="cover">
      <p className="kicker">
        Maintenance report · {subject.kind === 'run' ? 'one run' : 'one window'} · cloud {cluster.name}
      </p>
      <h1>{report.title}</h1>
      {each(warningsOf(report), ({ title, text, tone }) => (
        <p className={`banner ${tone}`}>
          {title === '' ? null : <strong>{title} </strong>}
          {text}
        </p>
      ))}
      <p className="headline">
        {badge(OUTCOME_WORDS[summary.outcome], outcomeTone(report))} {summary.headline}
      </p>
      {tilesHtml(report, true)}
      {summary.lines.length === 0 ? null : linesHtml(summary.lines)}
      {factsHtml('facts', workFacts(report), times)}
      <p className="quiet">
        {zoneWords(times.zone)}
        {times.zone === 'UTC' ? '' : ' UTC is beside or below them.'}
      </p>
    </header>
  )
}

/** The beginning of the appendix: the figures for operators, and who made the report. */
function appendixHtml(report: Report, times: ReportTimes): ReactNode {
  const title = 'Appendix: identifiers and proofs'
  return pageSection('appendix', title, tilesHtml(report, false), factsHtml('facts', reportFacts(report), times))
}

function tilesHtml(report: Report, isMain: boolean): ReactNode {
  return (
    <dl className="tiles">
      {each(
        figuresOf(report).filter(figure => figure.isMain === isMain),
        ({ name, value, tone }) => (
          <div className={tone === 'quiet' ? undefined : tone}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}
