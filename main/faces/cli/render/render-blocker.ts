import type { Blocker, OverrideFlag } from '../../../../shared/domain/step-answers.ts'
import type { Look } from '../words/look.ts'
import { hang } from '../words/width.ts'

/** One blocker: the problem, the remedy, and the flag that overrides it, or why there is none. */
export function renderBlocker(
  blocker: Blocker,
  overriddenBy: OverrideFlag | null,
  look: Look,
  indent: string,
): readonly string[] {
  const { palette, symbols, columns } = look
  const applies = overriddenBy !== null && blocker.override.kind === 'flag' && blocker.override.flag === overriddenBy
  if (applies) {
    return hang(
      `${indent}${symbols.warning} `,
      `${blocker.message} Starts anyway, with --${overriddenBy}.`,
      columns,
    ).map(palette.warn)
  }
  return [
    ...hang(`${indent}${symbols.blocked} `, blocker.message, columns).map(palette.bad),
    ...hang(`${indent}  next: `, blocker.remedy, columns),
    ...hang(`${indent}  `, overrideText(blocker), columns).map(palette.faint),
  ]
}

function overrideText({ override }: Blocker): string {
  return override.kind === 'flag'
    ? `--${override.flag} REASON starts anyway.`
    : `No flag starts it anyway: ${override.why}.`
}
