import { z } from 'zod'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import type { WatcherFigures } from '../../../../shared/domain/watcher.ts'
import { because, call } from '../../../../shared/words/reasons.ts'
import { ask } from '../ask.ts'
import type { OpenStackSession } from '../keystone-session.ts'

/** What a strategy needs, as Watcher's decision engine finds it; the name of the strategy is the last of the list. */
const Requirements = z.array(z.object({ type: z.string(), state: z.unknown() }))
const Datasource = z.object({ type: z.literal('Datasource'), state: z.string().min(1) })
const Name = z.object({ type: z.literal('Name'), state: z.string() })

/**
 * Whether Watcher has a source of figures for a strategy. Its own audit does not tell: without a source it ends SUCCEEDED with an empty plan
 * (seen on 17.0; 9.0 ends it FAILED).
 */
export async function readFigures(
  session: OpenStackSession,
  strategy: string,
  signal?: AbortSignal,
): Promise<Result<WatcherFigures>> {
  const read = await ask(
    session,
    'infra-optim',
    {
      method: 'GET',
      path: `/strategies/${encodeURIComponent(strategy)}/state`,
      call: call('AskFigures', { strategy }),
      target: `strategy/${strategy}`,
      signal,
    },
    Requirements.refine(all => all.some(each => Datasource.safeParse(each).success), 'no datasource'),
    all =>
      all.some(each => Name.safeParse(each).data?.state === strategy)
        ? null
        : because('OtherOne', { kind: 'strategy' }),
  )
  if (!read.ok) return read
  const reported = read.value.flatMap(each => Datasource.safeParse(each).data?.state ?? [])[0] ?? ''
  return ok({ available: /: available$/.test(reported), reported })
}
