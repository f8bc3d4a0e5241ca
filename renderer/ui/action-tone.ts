import type { CSSProperties } from 'react'

/** The colour of what a maintenance does to an instance, for what is `toned` or draws with `--tone`. */
export function actionTone(action: string): CSSProperties & { readonly '--tone': string } {
  return { '--tone': `var(--act-${action})` }
}
