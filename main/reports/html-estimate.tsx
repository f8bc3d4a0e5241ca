import type { ReactNode } from 'react'
import type { OwnEstimate, Span, VendorEstimate } from '../../shared/domain/estimate.ts'
import type { Report } from '../../shared/domain/report.ts'
import { durationWords, estimateWords } from '../../shared/grammar/durations.ts'
import { Nothing, Section, Table } from './html-parts.tsx'
import type { ReportTimes } from './html-times.ts'
import { lengthWords } from './html-words.ts'

interface Props {
  readonly report: Report
  readonly times: ReportTimes
}

/** What was expected against what happened: ours, the vendor's labelled as theirs, and the time it took. */
export function EstimatePart({ report, times }: Props): ReactNode {
  const { estimate } = report
  if (estimate === null) {
    return (
      <Section id="estimate" title="Estimate against actual">
        <Nothing>Nothing was estimated before the work began.</Nothing>
      </Section>
    )
  }
  const { planned, plannedAt, actualMs, words } = estimate
  const { vendor, own } = planned
  return (
    <Section id="estimate" title="Estimate against actual">
      <p>{words}</p>
      <Table caption="Expected and happened" columns={['Figure', 'From', 'How long#']}>
        <tbody>
          <tr>
            <th scope="row">What it took</th>
            <td>the journal</td>
            <td className="figure">
              <strong>{lengthWords(actualMs, 'not over')}</strong>
            </td>
          </tr>
          <tr>
            <th scope="row">Lockkeeper's estimate</th>
            <td>
              {own.basis}
              <span className="below quiet">as it stood at {times.stamp(plannedAt).zoned}</span>
            </td>
            <td className="figure">{rangeWords(own.total)}</td>
          </tr>
          {vendor === null
            ? null
            : vendor.readings.map(reading => (
                <tr key={reading.reading}>
                  <th scope="row">The vendor's formula</th>
                  <td>
                    {reading.reading}
                    <span className="below quiet">{vendor.source}</span>
                  </td>
                  <td className="figure">{durationWords(reading.totalMinutes * 60_000)}</td>
                </tr>
              ))}
        </tbody>
      </Table>
      {vendor === null ? null : <VendorWords vendor={vendor} />}
      <OwnTables own={own} />
    </Section>
  )
}

function VendorWords({ vendor }: { readonly vendor: VendorEstimate }): ReactNode {
  const stages = [...new Set(vendor.readings.flatMap(reading => reading.stages.map(({ stage }) => stage)))]
  return (
    <>
      <h3>The vendor's figures, stage by stage</h3>
      <p>
        These are the vendor's own figures, not measured here. Put in:{' '}
        {Object.entries(vendor.inputs)
          .map(([name, value]) => `${name} = ${value}`)
          .join(', ')}
        . {vendor.notes.join(' ')}
      </p>
      <Table
        caption="The vendor's figures by stage, minutes"
        columns={['Stage', ...vendor.readings.map((_, index) => `Reading ${index + 1}#`)]}
      >
        <tbody>
          {stages.map(stage => (
            <tr key={stage}>
              <th scope="row">{stage}</th>
              {vendor.readings.map(reading => (
                <td key={reading.reading} className="figure">
                  {reading.stages.find(each => each.stage === stage)?.minutes ?? '–'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  )
}

function OwnTables({ own }: { readonly own: OwnEstimate }): ReactNode {
  return (
    <>
      {own.nodes.every(isUnknown) ? null : (
        <>
          <h3>Lockkeeper's estimate, node by node</h3>
          <Table
            caption="Lockkeeper's estimate by node"
            columns={['Node', 'Batch#', 'Instances leave#', 'Drain#', 'Work#', 'Return#', 'Together#']}
          >
            <tbody>
              {own.nodes.map(node => (
                <tr key={`${node.batch} ${node.node}`}>
                  <th scope="row">
                    {node.node}
                    <span className="below quiet">{node.basis}</span>
                  </th>
                  <td className="figure">{node.batch}</td>
                  <td className="figure">{rangeWords(node.evacuation)}</td>
                  <td className="figure">{rangeWords(node.drain)}</td>
                  <td className="figure">{rangeWords(node.work)}</td>
                  <td className="figure">{rangeWords(node.back)}</td>
                  <td className="figure">{rangeWords(node.total)}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        </>
      )}
      {own.missing.length === 0 ? null : (
        <>
          <p>Not estimated:</p>
          <ul>
            {own.missing.map(missing => (
              <li key={missing}>{missing}</li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function isUnknown({ evacuation, drain, work, back, total }: OwnEstimate['nodes'][number]): boolean {
  return [evacuation, drain, work, back, total].every(span => span === null)
}

/** From the usual time to what nine in ten stay below. */
function rangeWords(span: Span | null): string {
  return span === null ? 'not known' : estimateWords(span.lowMs, span.highMs)
}
