import type { ReactNode } from 'react'
import type { Report } from '../../shared/domain/report.ts'
import { OUTCOME_WORDS, outcomeTone } from '../../shared/words/report-outcomes.ts'
import { type Figure, figuresOf, reportFacts, warningsOf, workFacts, zoneWords } from './cover.ts'
import { Badge, each, Facts, PageSection } from './html-sections.tsx'
import type { ReportTimes } from './times.ts'

interface Props {
  readonly report: Report
  readonly times: ReportTimes
}

/** For the customer, in half a minute: what, where, when, how it ended, and what it did to whom. */
export function Cover({ report, times }: Props): ReactNode {
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
        <Badge words={OUTCOME_WORDS[summary.outcome]} tone={outcomeTone(report)} /> {summary.headline}
      </p>
      <Tiles figures={figuresOf(report).filter(({ isMain }) => isMain)} />
      {summary.lines.length === 0 ? null : (
        <ul className="lines">
          {each(summary.lines, line => (
            <li>{line}</li>
          ))}
        </ul>
      )}
      <Facts className="facts" facts={workFacts(report)} times={times} />
      <p className="quiet">
        {zoneWords(times.zone)}
        {times.zone === 'UTC' ? '' : ' UTC is beside or below them.'}
      </p>
    </header>
  )
}

/** The beginning of the appendix: the figures for operators, and who made the report. */
export function AppendixHead({ report, times }: Props): ReactNode {
  return (
    <PageSection id="appendix" title="Appendix: identifiers and proofs">
      <Tiles figures={figuresOf(report).filter(({ isMain }) => !isMain)} />
      <Facts className="facts" facts={reportFacts(report)} times={times} />
    </PageSection>
  )
}

function Tiles({ figures }: { readonly figures: readonly Figure[] }): ReactNode {
  return (
    <dl className="tiles">
      {figures.map(({ name, value, tone }) => (
        <div key={name} className={tone === 'quiet' ? undefined : tone}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
