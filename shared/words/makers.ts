import { type Maker, makerOf } from '../domain/maintenance-api.ts'

/** Who made an object of the maintenance API, as it follows `made`: `by Lockkeeper run r-1 of kay`. */
export function makerWords(maker: Maker): string {
  switch (maker.code) {
    case 'OwnRun':
      return `by Lockkeeper run ${maker.run}${maker.operator === null ? '' : ` of ${maker.operator}`}`
    case 'FirstWriter':
      return `by ${maker.manager}`
    case 'MakerNotTold':
      return 'by LCM or by hand'
  }
}

/** The same of a request or a lock as it was read. */
export function madeBy(request: Parameters<typeof makerOf>[0]): string {
  return makerWords(makerOf(request))
}
