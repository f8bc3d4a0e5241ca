import type { ReactNode } from 'react'
import type { Report } from '../../shared/domain/report.ts'
import { stepTallyWords } from '../../shared/words/step-tally.ts'
import { Badge, Section, When } from './html-parts.tsx'
import type { ReportTimes } from './html-times.ts'
import { lengthWords, OUTCOME_WORDS, outcomeTone, type Tone } from './html-words.ts'
import { overranWords } from './report-words.ts'

interface Props {
  readonly report: Report
  readonly times: ReportTimes
}

/** For whom the work was done, in half a minute: what, where, when, how it ended, what it did to whom. */
export function Cover({ report, times }: Props): ReactNode {
  const { summary, cluster } = report
  return (
    <header className="cover">
      <p className="kicker">
        Maintenance report · {report.subject.kind === 'run' ? 'one run' : 'one window'} · cluster {cluster.name}
      </p>
      <h1>{report.title}</h1>
      <Banners report={report} />
      <p className="headline">
        <Badge words={OUTCOME_WORDS[summary.outcome]} tone={outcomeTone(report)} /> {summary.headline}
      </p>
      <Figures tiles={mainFigures(report)} />
      {summary.lines.length === 0 ? null : (
        <ul className="lines">
          {summary.lines.map(line => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <dl className="facts">
        <Fact name="Cluster">
          {cluster.name} <span className="quiet">({cluster.flavour})</span>
        </Fact>
        <WindowFacts report={report} times={times} />
        <Fact name="Work began">
          <When times={times} at={summary.fromAt} otherwise="not begun" />
        </Fact>
        <Fact name="Work ended">
          <When times={times} at={summary.toAt} otherwise={summary.fromAt === null ? 'not begun' : 'not over'} />
        </Fact>
      </dl>
      <p className="quiet">
        {times.zone === 'UTC'
          ? 'All times are UTC.'
          : `Times are those of ${times.zone}, with UTC beside or below them.`}
      </p>
    </header>
  )
}

function WindowFacts({ report, times }: Props): ReactNode {
  const { window } = report
  if (window === null) {
    const reasons = report.runs.flatMap(run => (run.outsideWindow === null ? [] : [run.outsideWindow]))
    return (
      <Fact name="Window">
        none{reasons.length === 0 ? '' : `: started outside any window, because ${reasons.join('; ')}`}
      </Fact>
    )
  }
  return (
    <>
      <Fact name="Window">
        {window.title} <span className="quiet">({window.status})</span>
      </Fact>
      <Fact name="Ticket">{window.ticket === '' ? <span className="quiet">none</span> : window.ticket}</Fact>
      <Fact name="Announced from">
        <When times={times} at={window.startsAt} />
      </Fact>
      <Fact name="Announced until">
        <When times={times} at={window.endsAt} />
        {window.overranMs > 0 ? <Badge words={overranWords(report)} tone="alarm" /> : null}
      </Fact>
    </>
  )
}

function Banners({ report }: { readonly report: Report }): ReactNode {
  const { completeness, redacted, damage } = report
  return (
    <>
      {completeness.kind === 'final' ? null : (
        <p className={`banner ${completeness.kind === 'interrupted' ? 'alarm' : 'water'}`}>{completeness.words}</p>
      )}
      {damage.length === 0 ? null : (
        <p className="banner alarm">
          <strong>The journal is damaged.</strong> Part of it could not be read, or is not what was written:{' '}
          <a href="#proof">see the proof</a>.
        </p>
      )}
      {redacted ? (
        <p className="banner caution">
          <strong>Redacted.</strong> Names of instances and projects are replaced, and what the journal says in its own
          words is left out. The hash of the journal is the same as in the full report.
        </p>
      ) : null}
    </>
  )
}

/** What the appendix begins with: who made the report of what, and the figures that are for operators. */
export function AppendixHead({ report, times }: Props): ReactNode {
  const { madeBy, window } = report
  return (
    <Section id="appendix" title="Appendix: identifiers and proofs">
      <Figures tiles={otherFigures(report)} />
      <dl className="facts">
        {window === null ? null : <Fact name="Operator">{window.operator}</Fact>}
        <Fact name="Report made">
          <When times={times} at={report.madeAt} />
        </Fact>
        <Fact name="Made by">
          {madeBy.operator} on {madeBy.machine}, Lockkeeper {madeBy.version}
        </Fact>
        <Fact name="Hash of the journal" wide>
          <code>{report.chain.after}</code>
        </Fact>
      </dl>
    </Section>
  )
}

type Tile = readonly [name: string, value: string, tone: Tone]

function mainFigures({ summary: { figures }, completeness }: Report): readonly Tile[] {
  const isOver = completeness.kind !== 'under-way'
  const downtime =
    figures.downtimeMs === null ? 'not known' : figures.downtimeMs === 0 ? 'none' : lengthWords(figures.downtimeMs)
  return [
    [
      'Nodes done',
      `${figures.nodesDone} of ${figures.nodesPlanned}`,
      isOver && figures.nodesDone < figures.nodesPlanned ? 'alarm' : 'quiet',
    ],
    ['Instances moved', String(figures.instancesMoved), 'quiet'],
    ['Downtime seen, all instances', downtime, 'quiet'],
    ['Incidents', String(figures.incidents), figures.incidents > 0 ? 'caution' : 'quiet'],
  ]
}

function otherFigures({ summary: { figures } }: Report): readonly Tile[] {
  return [
    ['Instances stopped', String(figures.instancesStopped), 'quiet'],
    ['Instances failed', String(figures.instancesFailed), figures.instancesFailed > 0 ? 'alarm' : 'quiet'],
    ['Pods evicted', String(figures.podsEvicted), 'quiet'],
    ['Checks overridden', String(figures.overrides), figures.overrides > 0 ? 'caution' : 'quiet'],
    ...stepTiles(figures),
  ]
}

function Figures({ tiles }: { readonly tiles: readonly Tile[] }): ReactNode {
  return (
    <dl className="tiles">
      {tiles.map(([name, value, tone]) => (
        <div key={name} className={tone === 'quiet' ? undefined : tone}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface FactProps {
  readonly name: string
  readonly children: ReactNode
  /** Takes the whole width. */
  readonly wide?: boolean
}

function Fact({ name, children, wide = false }: FactProps): ReactNode {
  return (
    <div className={wide ? 'wide' : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function stepTiles({ steps }: Report['summary']['figures']): readonly Tile[] {
  if (steps === undefined) return []
  const words = stepTallyWords(steps)
  return words === '' ? [] : [['Steps', words, steps.notVerified > 0 ? 'caution' : 'quiet']]
}
