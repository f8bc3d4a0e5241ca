import type { ClusterTestItem, ClusterTestReport } from '../../../../shared/contract/index.ts'
import type { Look } from '../words/look.ts'
import type { Paint } from '../words/palette.ts'
import { hang, widthOf } from '../words/width.ts'

/** The answers of `cluster test`, each with its remedy, and the manifest that would grant what is missing. */
export function renderClusterTest(report: ClusterTestReport, look: Look): readonly string[] {
  const { palette, symbols, columns } = look
  const widest = Math.max(0, ...report.items.map(({ area, name }) => widthOf(`${area} ${name}`)))
  const lines = report.items.flatMap(item => {
    const [sign, paint] = signOf(item, look)
    const label = `${item.area} ${item.name}`.padEnd(Math.min(widest, 40))
    const [first, ...rest] = hang(`${sign} ${label}  `, item.message, columns)
    return [paint(first ?? ''), ...rest, ...(item.remedy === null ? [] : hang('    next: ', item.remedy, columns))]
  })
  return [
    ...lines,
    ...(report.missingRbac === null
      ? []
      : ['', 'This manifest would grant what is missing:', '', ...report.missingRbac.trimEnd().split('\n')]),
    '',
    report.ok
      ? palette.good(`${symbols.ok} ${report.cluster} is ready for maintenance.`)
      : palette.bad(`${symbols.blocked} ${report.cluster} is not ready for maintenance.`),
  ]
}

function signOf({ outcome }: ClusterTestItem, { symbols, palette }: Look): readonly [string, Paint] {
  switch (outcome) {
    case 'ok':
      return [symbols.ok, text => text]
    case 'warning':
      return [symbols.warning, palette.warn]
    case 'missing':
    case 'failed':
      return [symbols.blocked, palette.bad]
    case 'skipped':
      return [symbols.pending, palette.faint]
  }
}
