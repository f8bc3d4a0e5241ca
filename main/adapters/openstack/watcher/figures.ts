import { z } from 'zod'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import type { WatcherFigures } from '../../../../shared/domain/watcher.ts'
import { because, call } from '../../../../shared/words/reasons.ts'
import { askService } from '../ask-service.ts'
import type { OpenStackSession } from '../openstack-session.ts'

/** A strategy's requirements as Watcher's decision engine sees them; the last entry names the strategy. */
const Requirements = z.array(z.object({ type: z.string(), state: z.unknown() }))
const Datasource = z.object({ type: z.literal('Datasource'), state: z.string().min(1) })
const Name = z.object({ type: z.literal('Name'), state: z.string() })

/**
 * Whether Watcher has a metrics source for a strategy. Its audit does not show that: without a source it ends SUCCEEDED with an empty plan (seen on 17.0;
 * FAILED on 9.0).
 */
export async function readFigures(
  session: OpenStackSession,
  strategy: string,
  signal?: AbortSignal,
): Promise<Result<WatcherFigures>> {
  const read = await askService(
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
