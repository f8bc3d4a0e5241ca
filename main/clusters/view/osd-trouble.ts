import type { OsdProblem } from '../../../shared/domain/node-conditions.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'

export function osdProblemFinding({ code, values }: OsdProblem): Finding {
  switch (code) {
    case 'OsdsDown':
      return because('NodeOsdsDown', values)
    case 'NooutOfNode':
      return because('NodeOsdsNoout')
    case 'NooutKeptByRun':
      return because('NodeNooutKept', values)
  }
}
