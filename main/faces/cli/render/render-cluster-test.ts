import type { ClusterTestItem, ClusterTestReport } from '../../../../shared/contract/index.ts'
import type { Look } from '../words/look.ts'
import type { Paint } from '../words/palette.ts'
import { hang, widthOf } from '../words/width.ts'

/** The results of `cluster test`, each with its remedy, and a manifest that grants missing rights. Granted rights are counted; JSON lists each. */
export function renderClusterTest(report: ClusterTestReport, look: Look): readonly string[] {
  const { palette, symbols, columns } = look
  const items = withGrantsCounted(report.items)
  const widest = Math.max(0, ...items.map(({ area, name }) => widthOf(`${area} ${name}`)))
  const lines = items.flatMap((item, at) => {
    const [sign, paint] = signOf(item, look)
    const label = `${item.area} ${item.name}`.trimEnd().padEnd(Math.min(widest, 40))
    const [first, ...rest] = hang(`${sign} ${label}  `, item.message, columns)
    return [paint(first ?? ''), ...rest, ...renderRemedy(items, at, look)]
  })
  return [
    ...lines,
    ...(report.missingRbac === null
      ? []
      : ['', 'This manifest grants the missing rights:', '', ...report.missingRbac.trimEnd().split('\n')]),
    '',
    report.ok
      ? palette.good(`${symbols.ok} ${report.cluster} is ready for maintenance.`)
      : palette.bad(`${symbols.blocked} ${report.cluster} is not ready for maintenance.`),
  ]
}

/** One item in place of many rights that these credentials have. */
function withGrantsCounted(items: readonly ClusterTestItem[]): readonly ClusterTestItem[] {
  const granted = items.filter(isGranted)
  const [first, second] = granted
  if (first === undefined || second === undefined) return items
  const counted = { ...first, name: '', message: `${granted.length} rights are granted.` }
  return items.flatMap(item => (item === first ? [counted] : isGranted(item) ? [] : [item]))
}

function isGranted({ code, outcome }: ClusterTestItem): boolean {
  return code === 'PermissionGranted' && outcome === 'ok'
}

/** The remedy of an item; once, with a count, below items that share it. */
export function renderRemedy(items: readonly ClusterTestItem[], at: number, { columns }: Look): readonly string[] {
  const remedy = items[at]?.remedy ?? null
  if (remedy === null || items[at + 1]?.remedy === remedy) return []
  const first = items.slice(0, at).findLastIndex(each => each.remedy !== remedy) + 1
  return hang(first === at ? '    next: ' : `    next, for these ${at - first + 1}: `, remedy, columns)
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
