import { Callout, type Intent } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { ReportVerdict } from '../../../shared/domain/report.ts'

const TITLES: Readonly<Record<ReportVerdict['kind'], string>> = {
  genuine: 'is as it was written',
  changed: 'was changed',
  'other-version': 'was worded by another version',
  unknown: 'is not a report that can be checked',
}

const INTENTS: Readonly<Record<ReportVerdict['kind'], Intent>> = {
  genuine: 'success',
  changed: 'danger',
  'other-version': 'warning',
  unknown: 'warning',
}

interface Props {
  readonly name: string
  readonly verdict: ReportVerdict
}

/** What a check of a report found out, each finding in words. */
export function ReportFindings({ name, verdict }: Props): ReactNode {
  return (
    <>
      <Callout intent={INTENTS[verdict.kind]} title={`${name} ${TITLES[verdict.kind]}`} className="rep-verdict">
        {verdict.words}
      </Callout>
      {verdict.findings.length === 0 ? null : (
        <table className="table">
          <thead>
            <tr>
              <th scope="col">What was checked</th>
              <th scope="col">Holds</th>
              <th scope="col">What was found</th>
            </tr>
          </thead>
          <tbody>
            {verdict.findings.map(({ what, holds, words }) => (
              <tr key={what}>
                <th scope="row" className="nowrap">
                  {what}
                </th>
                <td className={`strong nowrap ${holds === null ? 'quiet' : holds ? 'good' : 'bad'}`}>
                  {holdsWords(holds)}
                </td>
                <td>{words}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

function holdsWords(holds: boolean | null): string {
  if (holds === null) return '– not known'
  return holds ? '✓ yes' : '✗ no'
}
