import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { openstack } from '../cli/referees.ts'
import { LAB_OPENSTACK_LOGS } from '../lab-places.ts'

/** What Nova was asked about one instance and agreed to, by its own log. */
interface AskedOfInstance {
  /** To move it, to stop it, to rebuild it: Nova's path tells no difference, its records of moves do. */
  readonly actions: number
  readonly aborts: number
  readonly forced: number
}

/** A record of Nova about a move. */
interface MoveRecord {
  readonly type: string
  readonly status: string
  readonly to: string
}

/** What Nova counts from a moment on: the referee of whether anything was done twice. */
export interface NovaTally {
  asked(id: string): Promise<AskedOfInstance>
  /** How often a compute service was enabled, disabled, or forced down. */
  services(): Promise<number>
  /** Records of the moves of each instance since, oldest first. */
  records(): Promise<(id: string) => readonly MoveRecord[]>
}

const Records = z.array(
  z.object({
    Id: z.number(),
    Type: z.string(),
    Status: z.string(),
    'Server UUID': z.string(),
    'Created At': z.string(),
    'Dest Compute': z.string().nullable(),
  }),
)

const LOG = join(LAB_OPENSTACK_LOGS, 'nova-api.log')

/** Counts from now on. */
export async function novaTallyFromNow(): Promise<NovaTally> {
  const { size } = await stat(LOG)
  const since = new Date().toISOString().slice(0, 19)
  const times = async (pattern: RegExp) => {
    const lines = (await text(createReadStream(LOG, { start: size }))).split('\n')
    return lines.filter(line => {
      const [, request, status] = /"((?:POST|PUT|PATCH|DELETE) \S+)[^"]*" status: (\d+)/.exec(line) ?? []
      return request !== undefined && Number(status) < 300 && pattern.test(request)
    }).length
  }
  return {
    asked: async id => ({
      actions: await times(new RegExp(`^POST \\S*/servers/${id}/action$`)),
      aborts: await times(new RegExp(`^DELETE \\S*/servers/${id}/migrations/\\d+$`)),
      forced: await times(new RegExp(`^POST \\S*/servers/${id}/migrations/\\d+/action$`)),
    }),
    services: () => times(/^PUT \S*\/os-services\//),
    records: async () => {
      const all = (await listed())
        .filter(record => record['Created At'].slice(0, 19) >= since)
        .toSorted((one, other) => one.Id - other.Id)
      return id =>
        all.flatMap(record =>
          record['Server UUID'] === id
            ? [{ type: record.Type, status: record.Status, to: record['Dest Compute'] ?? '' }]
            : [],
        )
    },
  }
}

async function listed(): Promise<z.infer<typeof Records>> {
  return Records.parse(JSON.parse(await openstack('server', 'migration', 'list', '-f', 'json')))
}

const FORCED = { where: 'away ACTIVE', actions: 1, aborts: 0, forced: 1, records: ['completed'] }
const RETRIED = { where: 'away ACTIVE', actions: 2, aborts: 1, forced: 0, records: ['cancelled', 'completed'] }
const LEFT = { where: 'here ACTIVE', actions: 1, aborts: 1, forced: 0, records: ['cancelled'] }
/** What comes of an instance whose migration hangs, and what Nova counts, by what was decided about it. */
export const DECIDED: Readonly<Record<string, object>> = {
  'force-complete': FORCED,
  'abort-and-retry': RETRIED,
  'abort-and-leave': LEFT,
}
