import type { DemoState, Emit } from '../../../shared/contract/index.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Handlers } from '../../api/serve.ts'
import type { DemoTroubles } from '../../ports/demo-clouds.ts'

type DemoHandlers = Pick<Handlers, 'demo.show' | 'demo.change'>

interface DemoParts {
  /** Null in a console of real clouds. */
  readonly troubles: DemoTroubles | null
  readonly emit: Emit
}

/** The demo as its screens see it. */
interface Demo {
  readonly handlers: DemoHandlers
  /** Says how much of the history is played; null when it is there. */
  historyAt(history: DemoState['history']): void
}

/** Opens what switches the troubles of the demo; a console of real clouds refuses it. */
export function openDemo({ troubles, emit }: DemoParts): Demo {
  let history: DemoState['history'] = null
  const notHere = () => failed(refusal('not-permitted', because('OnlyInDemo')))
  if (troubles === null) {
    return {
      handlers: { 'demo.show': async () => notHere(), 'demo.change': async () => notHere() },
      historyAt: () => {},
    }
  }
  const state = (): DemoState => ({ troubles: [...troubles.list()], history })
  const changed = () => {
    emit('demo.changed', state())
    return state()
  }
  return {
    handlers: {
      'demo.show': async () => ok(state()),
      'demo.change': async ({ name, on }) => {
        troubles.set(name, on)
        return ok(changed())
      },
    },
    historyAt: at => {
      history = at
      changed()
    },
  }
}
