import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { ClusterTestReport } from '../../../shared/contract/index.ts'
import { When } from '../when.tsx'

const OUTCOMES = { ok: 'Good', warning: 'Note', missing: 'Missing', failed: 'Failed', skipped: 'Skipped' } as const

/** What a test of a cluster found and what to do about each; missing rights as a manifest to copy. */
export function TestReport({ report }: { readonly report: ClusterTestReport }): ReactNode {
  const rbac = report.missingRbac
  return (
    <section className="test-report" aria-label="Result of the test">
      <strong>
        {report.ok ? 'Everything that maintenance needs is there.' : 'Something that maintenance needs is missing.'}
      </strong>{' '}
      <span className="quiet">
        Tested <When at={report.testedAt} short />. Nothing was changed.
      </span>
      <ul>
        {report.items.map(item => (
          <li className="test-item stack" key={`${item.area} ${item.name}`}>
            <span className="test-outcome strong" data-outcome={item.outcome}>
              {OUTCOMES[item.outcome]}
            </span>
            <span>
              {item.message}
              {item.remedy === null ? null : <span className="quiet"> {item.remedy}</span>}
            </span>
          </li>
        ))}
      </ul>
      {rbac === null ? null : (
        <details>
          <summary>The missing rights as a manifest</summary>
          <Button size="small" text="Copy" onClick={() => void navigator.clipboard.writeText(rbac)} />
          <pre className="quoted">{rbac}</pre>
        </details>
      )}
    </section>
  )
}
