declare const LOCKKEEPER_BUILD: { readonly commit: string; readonly at: string } | undefined

/** The commit of this build and its time; null if the program runs from its sources. */
export const BUILD_STAMP: { readonly commit: string; readonly at: string } | null =
  typeof LOCKKEEPER_BUILD === 'undefined' ? null : LOCKKEEPER_BUILD
