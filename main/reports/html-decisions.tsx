import type { ReactNode } from 'react'
import type { Report } from '../../shared/domain/report.ts'
import { Badge, Change, Nothing, nameClass, Section, Table, When } from './html-parts.tsx'
import type { ReportTimes } from './html-times.ts'
import { incidentsWords } from './report-words.ts'

interface Props {
  readonly report: Report
  readonly times: ReportTimes
}

/** Checks that did not hold: what each said, what would have helped, and who lifted it and why. */
export function ChecksPart({ report, times }: Props): ReactNode {
  const { checks } = report
  return (
    <Section id="checks" title="Checks that did not hold">
      {checks.length === 0 ? (
        <Nothing>Every check held; nothing was overridden.</Nothing>
      ) : (
        <Table caption="Checks that did not hold" columns={['When', 'Node', 'Check', 'What it said', 'Overridden']}>
          <tbody>
            {checks.map((check, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a check may fail twice for the same reason in one second.
              <tr key={index}>
                <td>
                  <When times={times} at={check.at} />
                </td>
                <th scope="row" className={nameClass(check.node)}>
                  {check.node === '' ? 'the cluster' : check.node}
                </th>
                <td>
                  {check.title}
                  <code className="below">{check.code}</code>
                </td>
                <td>
                  {check.message}
                  {check.remedy === '' ? null : <span className="below quiet">{check.remedy}</span>}
                </td>
                <td>
                  {check.overridden === null ? (
                    <Badge words="no, it held things up" tone="quiet" />
                  ) : (
                    <>
                      <Badge words={`by ${check.overridden.by}`} tone="caution" />
                      <span className="below">
                        <code>--{check.overridden.flag}</code>: {check.overridden.reason}
                      </span>
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  )
}

/** What did not go as planned. */
export function IncidentsPart({ report, times }: Props): ReactNode {
  const { incidents } = report
  return (
    <Section id="incidents" title="Incidents">
      {incidents.length === 0 ? (
        <Nothing>None: nothing failed, nothing had to be asked, nobody noted one.</Nothing>
      ) : (
        <>
          <p className="quiet">{incidentsWords(incidents)}.</p>
          <Table caption="Incidents" columns={['When', 'What', 'About', 'What happened']}>
            <tbody>
              {incidents.map((incident, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two incidents may say the same in one second.
                <tr key={index} className={incident.counts === false ? 'quiet' : undefined}>
                  <td>
                    <When times={times} at={incident.at} />
                  </td>
                  <td>{incident.kind.replaceAll('-', ' ')}</td>
                  <th scope="row" className={nameClass(incident.subject)}>
                    {incident.subject}
                  </th>
                  <td className="prose">{incident.words}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        </>
      )}
    </Section>
  )
}

/** What was changed by hand meanwhile, outside the runs. */
export function EditsPart({ report, times }: Props): ReactNode {
  const { edits } = report
  return (
    <Section id="edits" title="Changed by hand meanwhile">
      {edits.length === 0 ? (
        <Nothing>Nothing was changed by hand.</Nothing>
      ) : (
        <Table caption="Changes by hand" columns={['When', 'Who', 'What', 'Change']}>
          <tbody>
            {edits.map(edit => (
              <tr key={edit.seq}>
                <td>
                  <When times={times} at={edit.at} />
                </td>
                <td>
                  {edit.operator}
                  <span className="below quiet">{edit.machine}</span>
                </td>
                <th scope="row">
                  {edit.target}
                  <span className="below quiet">{edit.kind.replaceAll('-', ' ')}</span>
                </th>
                <td>
                  <Change before={edit.before} after={edit.after} />
                  {edit.refused === null ? null : (
                    <span className="below">
                      <Badge words="refused" tone="alarm" /> {edit.refused}
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  )
}

/** What people wrote: the window's notes, its remarks, and how it was closed. */
export function NotesPart({ report, times }: Props): ReactNode {
  const { window } = report
  if (window === null) return null
  const { notes, remarks, closed } = window
  return (
    <Section id="notes" title="Notes of the window">
      {notes === '' && remarks.length === 0 && closed === null ? <Nothing>Nobody wrote a note.</Nothing> : null}
      {notes === '' ? null : <p className="prose">{notes}</p>}
      {remarks.length === 0 ? null : (
        <Table caption="Remarks" columns={['When', 'Who', 'Remark']}>
          <tbody>
            {remarks.map((remark, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same may be remarked twice in one second.
              <tr key={index}>
                <td>
                  <When times={times} at={remark.at} />
                </td>
                <th scope="row">{remark.by}</th>
                <td className="prose">
                  {remark.kind === 'incident' ? <Badge words="incident" tone="alarm" /> : null} {remark.text}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {closed === null ? null : (
        <p className="prose">
          Closed by {closed.by} at {times.stamp(closed.at).zoned}
          {closed.summary === '' ? '.' : `: ${closed.summary}`}
        </p>
      )}
    </Section>
  )
}
