import { Trouble } from '../../../shared/domain/demo-troubles.ts'

/** What a demo does from its start, by the command line of `npm run demo -- --trouble stuck --update`. */
export function demoWishOf(argv: readonly string[]): {
  readonly troubles: readonly Trouble[]
  readonly update: boolean
} {
  const troubles = argv.flatMap((word, index) => {
    const given = word.startsWith('--trouble=')
      ? word.slice('--trouble='.length)
      : word === '--trouble'
        ? argv[index + 1]
        : ''
    return Trouble.safeParse(given).data ?? []
  })
  return { troubles, update: argv.includes('--update') }
}
