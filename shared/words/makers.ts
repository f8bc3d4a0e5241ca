import { type Maker, makerOf } from '../domain/maintenance-api.ts'

/** The maker of an object of the maintenance API, after `made`: `by Lockkeeper run r-1 of kay`. */
export function makerWords(maker: Maker): string {
  switch (maker.code) {
    case 'OwnRun':
      return `by Lockkeeper run ${maker.run}${maker.operator === null ? '' : ` of ${maker.operator}`}`
    case 'FirstWriter':
      return `by ${maker.manager}`
    case 'MakerNotTold':
      return 'by LCM or manually'
  }
}

export function madeBy(request: Parameters<typeof makerOf>[0]): string {
  return makerWords(makerOf(request))
}
