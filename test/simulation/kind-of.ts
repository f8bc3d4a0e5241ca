const FLAVOURS = {
  '--mosk': 'mosk',
  '--update': 'mosk update',
  '--batches': 'batches',
  '--sunbeam': 'sunbeam',
  '--rescue': 'rescue',
  '--hand-over': 'hand-over',
  '--campaign': 'campaign',
  '--every-kind': 'every kind',
} as const

/** Returns the kind of all schedules from the flags of a command line; without one the seed decides. */
export function kindOf(flags: readonly string[]) {
  const wanted = (Object.keys(FLAVOURS) as (keyof typeof FLAVOURS)[]).find(word => flags.includes(word))
  return {
    ...(wanted === undefined ? {} : { flavour: FLAVOURS[wanted] }),
    ...(flags.includes('--restless') ? ({ restless: true } as const) : {}),
    ...(flags.includes('--namesake') ? ({ namesake: true } as const) : {}),
    ...(flags.includes('--fenced') ? ({ fenced: true } as const) : {}),
  }
}
