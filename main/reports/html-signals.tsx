import type { ReactNode } from 'react'
import type { Report } from '../../shared/domain/report.ts'
import { Section, Table, When } from './html-parts.tsx'
import type { ReportTimes } from './html-times.ts'

interface Props {
  readonly report: Report
  readonly times: ReportTimes
}

/** What was told to the outside; nothing where nobody was. */
export function SignalsPart({ report: { signals }, times }: Props): ReactNode {
  if (signals === undefined) return null
  return (
    <Section id="signals" title="Signals">
      <Table caption="Signals" columns={['When', 'Run', 'About', 'What was told']}>
        <tbody>
          {signals.map(({ at, runId, about, words }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two entries may say the same in one second.
            <tr key={index}>
              <td>
                <When times={times} at={at} />
              </td>
              <td>{runId}</td>
              <th scope="row">{about}</th>
              <td className="prose">{words}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  )
}
