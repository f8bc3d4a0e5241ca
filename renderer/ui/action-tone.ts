import type { CSSProperties } from 'react'

/** The colour of what a maintenance does to an instance, for `toned` elements and for `--tone`. */
export function actionTone(action: string): CSSProperties & { readonly '--tone': string } {
  return { '--tone': `var(--act-${action})` }
}
