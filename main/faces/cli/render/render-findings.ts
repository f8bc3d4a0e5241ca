import { counted } from '../../../../shared/grammar/counts.ts'
import type { Examination, Finding } from '../../../compose/doctor/finding.ts'
import { oneLine } from '../words/clean-text.ts'
import type { Look } from '../words/look.ts'
import type { Paint } from '../words/palette.ts'
import { hang } from '../words/width.ts'

/** Findings grouped under their subjects; `before`: the last heading printed, which is not repeated. */
export function renderFindings(findings: readonly Finding[], before: string | null, look: Look): readonly string[] {
  let about = before
  return findings.flatMap(finding => {
    const heading = finding.about === about ? [] : [...(about === null ? [] : ['']), look.palette.strong(finding.about)]
    about = finding.about
    return [...heading, ...findingLines(finding, look)]
  })
}

function findingLines({ name, outcome, message, next }: Finding, look: Look): readonly string[] {
  const [sign, paint, said] = signOf(outcome, look)
  const [first = '', ...rest] = hang(`  ${sign} `, `${oneLine(name)}: ${said}${oneLine(message)}`, look.columns)
  return [paint(first), ...rest.map(paint), ...(next === null ? [] : hang('    next: ', oneLine(next), look.columns))]
}

function signOf(outcome: Finding['outcome'], { symbols, palette }: Look): readonly [string, Paint, string] {
  switch (outcome) {
    case 'fine':
      return [symbols.ok, text => text, '']
    case 'attention':
      return [symbols.warning, palette.warn, '']
    case 'broken':
      return [symbols.blocked, palette.bad, '']
    case 'cannot-tell':
      return ['?', palette.warn, 'cannot tell. ']
  }
}

/** The overall result in one line. */
export function renderVerdict(
  { verdict, findings }: Examination,
  { symbols, palette, columns }: Look,
): readonly string[] {
  const count = (outcome: Finding['outcome']) => findings.filter(finding => finding.outcome === outcome).length
  const parts = [
    ...(count('broken') === 0 ? [] : [`${count('broken')} broken`]),
    ...(count('cannot-tell') === 0 ? [] : [`${count('cannot-tell')} unknown`]),
    ...(count('attention') === 0 ? [] : [`${count('attention')} to review`]),
    `${counted(findings.length, 'check')} made`,
  ].join(', ')
  const paint = verdict === 'works' ? palette.good : verdict === 'broken' ? palette.bad : palette.warn
  const sign = verdict === 'works' ? symbols.ok : verdict === 'broken' ? symbols.blocked : '?'
  const words = {
    works: 'Nothing is broken',
    broken: 'Something is broken',
    'cannot-tell': 'Some checks were not possible',
  }[verdict]
  return hang(`${sign} `, `${words}: ${parts}.`, columns).map(paint)
}
