import type { ReactNode } from 'react'
import type { Report } from '../../shared/domain/report.ts'
import { OUTCOME_WORDS, outcomeTone } from '../../shared/words/report-outcomes.ts'
import { figuresOf, reportFacts, warningsOf, workFacts, zoneWords } from './cover.ts'
import { badge, each, factsHtml, linesHtml, pageSection } from './html-sections.tsx'
import type { ReportTimes } from './times.ts'

/** For the customer, in half a minute: what, where, when, how it ended, and its effect. */
export function coverHtml(report: Report, times: ReportTimes): ReactNode {
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
export function appendixHtml(report: Report, times: ReportTimes): ReactNode {
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
