import type { ReactNode } from 'react'
import type { Report } from '../../shared/domain/report.ts'
import { Nothing, Section, Table, When } from './html-parts.tsx'
import type { ReportTimes } from './html-times.ts'
import { CLOCKS_WORDS, clockOff, NO_CLOCKS } from './report-words.ts'

interface Props {
  readonly report: Report
  readonly times: ReportTimes
}

/** By whose clock the report tells times, and how far the servers' were off; nothing in a report of an earlier version, which did not know. */
export function ClocksPart({ report: { clocks }, times }: Props): ReactNode {
  if (clocks === undefined) return null
  return (
    <Section id="clocks" title="Clocks">
      {clocks.length === 0 ? (
        <Nothing>{NO_CLOCKS}</Nothing>
      ) : (
        <>
          <p>{CLOCKS_WORDS}</p>
          <Table caption="Clocks of the servers" columns={['Run', 'Clock of', 'Measured', "Against the console's"]}>
            <tbody>
              {clocks.flatMap(({ runId, server, measured }) =>
                measured.map(({ at, aheadMs }) => (
                  <tr key={`${runId} ${server} ${at}`}>
                    <td>{runId}</td>
                    <th scope="row">{server}</th>
                    <td>
                      <When times={times} at={at} />
                    </td>
                    <td>{clockOff(aheadMs)}</td>
                  </tr>
                )),
              )}
            </tbody>
          </Table>
        </>
      )}
    </Section>
  )
}
