import type { Failure } from '../../../../shared/domain/failure.ts'
import type { Look } from '../words/look.ts'
import { hang } from '../words/width.ts'

/** The message of a failure (style G37); technical details only with `-v`, never a stack. */
export function renderFailure(failure: Failure, look: Look, verbose: boolean): readonly string[] {
  const { palette, symbols } = look
  const [first, ...rest] = hang(`${symbols.blocked} `, failure.message, look.columns)
  const extra = verbose
    ? [
        ...(failure.target === undefined ? [] : hang('  object: ', failure.target, look.columns)),
        ...hang('  code:   ', failure.code, look.columns),
        ...(failure.detail === undefined ? [] : hang('  detail: ', failure.detail, look.columns)),
      ]
    : []
  const again = failure.retryable ? [palette.faint('  This may be temporary: try the same command later.')] : []
  return [palette.bad(first ?? ''), ...rest.map(palette.bad), ...extra.map(palette.faint), ...again]
}

export function renderWarning(text: string, look: Look, indent = ''): readonly string[] {
  return hang(`${indent}${look.symbols.warning} `, text, look.columns).map(look.palette.warn)
}
