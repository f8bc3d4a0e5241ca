declare const LOCKKEEPER_BUILD: { readonly commit: string; readonly at: string } | undefined

/** Of which commit this program was built, and that commit's time; null where it runs from its sources. */
export const BUILD_STAMP: { readonly commit: string; readonly at: string } | null =
  typeof LOCKKEEPER_BUILD === 'undefined' ? null : LOCKKEEPER_BUILD
